-- Creates an endpoint unless its project has as many as it may. A function, because its second statement sees what was
-- committed while the first one waited: requests at the same time would otherwise count the same endpoints.
CREATE FUNCTION create_webhook_within_limit(
  new_id text, of_project text, of_token text, new_url text, new_events text[], new_description text, sealed text, max_endpoints integer
) RETURNS SETOF webhook_endpoints LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('webhooks ' || coalesce(of_project, ''), 0));
  RETURN QUERY
  INSERT INTO webhook_endpoints (id, project_id, token_id, url, events, description, secrets)
  SELECT new_id, of_project, of_token, new_url, new_events, new_description, ARRAY[sealed]
  WHERE (SELECT count(*) FROM webhook_endpoints w WHERE w.project_id IS NOT DISTINCT FROM of_project) < max_endpoints
  RETURNING *;
END $$;

-- The event of the file's own project names every token that the recall has just named. A delivery has at most 64 KiB: an
-- event that names thousands of tokens could never be delivered, so each names the first 1,000.
CREATE OR REPLACE FUNCTION name_downloaders() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  named jsonb := coalesce(NEW.data -> 'token_ids', (
    SELECT coalesce(jsonb_agg(token_id ORDER BY token_id), '[]') FROM downloads
    WHERE file_id = NEW.file_id AND recalled_at IS NOT NULL));
BEGIN
  NEW.data := NEW.data || jsonb_build_object('token_ids', jsonb_path_query_array(named, '$[0 to 999]'));
  RETURN NEW;
END $$;

DROP TRIGGER events_name_downloaders ON events;
CREATE TRIGGER events_name_downloaders BEFORE INSERT ON events FOR EACH ROW
  WHEN (NEW.type = 'file.withdrawn') EXECUTE FUNCTION name_downloaders();
