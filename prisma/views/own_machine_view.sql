CREATE VIEW "own_machine_view" AS
SELECT
  "id", "organization_id" AS "organizationId", "name", "cores", "network_mbps" AS "networkMbps", "currency",
  "purchase_micros"::double precision AS "purchaseMicros", "amortised_months" AS "amortisedMonths",
  "power_watts" AS "powerWatts", "kwh_micros"::double precision AS "kwhMicros", "pue",
  "hosting_monthly_micros"::double precision AS "hostingMonthlyMicros",
  "staff_hours_per_month" AS "staffHoursPerMonth", "staff_hourly_micros"::double precision AS "staffHourlyMicros",
  "staff_share" AS "staffShare", "valid_from" AS "validFrom", "note",
  "created_at" AS "createdAt", "updated_at" AS "updatedAt"
FROM "own_machine";
