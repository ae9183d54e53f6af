-- What text that says where something is sorts by: IPv4 by number, then IPv6 by number, then host names, then nothing.
-- A provider may give any of them. Only what has a colon pays for an attempt that may fail.
CREATE FUNCTION address_key(address text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF address IS NULL THEN
    RETURN '~';
  END IF;
  IF address ~ '^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])$' THEN
    RETURN encode(inet_send(address::inet), 'hex');
  END IF;
  IF strpos(address, ':') > 0 THEN
    BEGIN
      RETURN encode(inet_send(address::inet), 'hex');
    EXCEPTION WHEN invalid_text_representation THEN
      NULL;
    END;
  END IF;
  RETURN 'h' || lower(address);
END
$$;
