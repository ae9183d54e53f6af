-- An address waits a while for its instance, which may come back.
ALTER TABLE load_balancer ADD COLUMN instance_gone_at timestamptz(3);
