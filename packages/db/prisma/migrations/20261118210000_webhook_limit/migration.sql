-- Creates an endpoint unless its project has `max_endpoints`; null: the endpoints without a project. A function, because
-- each of its statements sees what was committed before it: the count is taken under the project's lock.
CREATE FUNCTION create_webhook_endpoint(
  new_id text, project text, token text, address text, types text[], about text, secret text, max_endpoints integer
) RETURNS SETOF webhook_endpoints LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('webhooks ' || coalesce(project, ''), 0));
  RETURN QUERY
  INSERT INTO webhook_endpoints (id, project_id, token_id, url, events, description, secrets)
  SELECT new_id, project, token, address, types, about, ARRAY[secret]
  WHERE (SELECT count(*) FROM webhook_endpoints w WHERE w.project_id IS NOT DISTINCT FROM project) < max_endpoints
  RETURNING *;
END $$;
