-- Members of a rotation have the word of the API.
UPDATE "ticket_rotation" SET "members" = (
  SELECT coalesce(jsonb_agg(
    CASE WHEN member ? 'lagsSince' THEN member - 'lagsSince' || jsonb_build_object('outdatedSince', member -> 'lagsSince') ELSE member END
    ORDER BY place
  ), '[]') FROM jsonb_array_elements("members") WITH ORDINALITY AS each (member, place)
);
