-- For the owner of the database. Afterwards, give both roles a password, such as with \password of psql.
create role worker login; -- worker.ts
create role application login; -- signs customers up, and renders their dashboards
grant worker to current_user; -- for enqueue()
create schema pgboss authorization worker; -- the queue
create schema pulumi authorization worker; -- the states
alter role worker set search_path = pulumi, public;

-- The stacks. Another row is room for more customers, and moves nobody.
create table shards (
  name text primary key,
  room integer not null default 300, -- customers
  deletion_limit integer not null default 20,
  removed text not null default 'delete' check (removed in ('delete', 'retain'))
);
insert into shards select 'customers-' || number from generate_series(1, 4) as number;

create domain text_line as text check (value ~ '^[^[:cntrl:][:space:]]([^[:cntrl:]]*[^[:cntrl:][:space:]])?$');
create table customers (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9.-]*$'),
  name text_line not null,
  data_source text_line not null,
  region text not null check (region in ('eu', 'us')),
  rotated date not null default current_date, -- another date gives the customer a new token
  left_at timestamptz, -- null again for a customer who comes back
  shard text not null references shards
);
create index on customers (shard);
-- Who has a group. A customer who has left keeps it for a week.
create view served as select * from customers where left_at is null or left_at > now() - interval '7 days';

create table dashboard_tokens (
  customer_id text not null references customers,
  token text not null,
  valid_until timestamptz, -- null for the customer's current token
  primary key (customer_id, token)
);
create unique index on dashboard_tokens (customer_id) where valid_until is null;

create function choose_shard() returns trigger language plpgsql security definer set search_path = public as $$ begin
  select name into new.shard from shards
    order by room - (select count(*) from customers where shard = shards.name) desc, name limit 1;
  return new;
end $$;
create trigger choose_shard before insert on customers for each row
  when (new.shard is null) execute function choose_shard();

-- Brings a stack up after the commit. A job that waits for a worker will do, and is locked until then.
create function enqueue(stack text) returns void language plpgsql security definer set search_path = pgboss as $$ begin
  for attempt in 1 .. 9 loop
    insert into job (name, singleton_key, data, policy, heartbeat_seconds, retry_limit, retry_delay, retry_backoff)
      select name, stack, jsonb_build_object('shard', stack), policy, heartbeat_seconds, retry_limit, retry_delay,
        retry_backoff from queue where name = 'shards' on conflict do nothing;
    exit when found;
    perform from job where name = 'shards' and singleton_key = stack and state = 'created' for share;
    exit when found;
  end loop;
end $$;
create function enqueue_changed() returns trigger language plpgsql as $$ begin
  perform enqueue(shard) from (select old.shard union select new.shard) as changed where shard is not null;
  return null;
end $$;
create constraint trigger enqueue after insert or update or delete on customers
  deferrable initially deferred for each row execute function enqueue_changed();

-- At most 20 customers leave in a day, in all stacks. For more: set local customers.may_leave = 500
create function limit_leavers() returns trigger language plpgsql as $$ declare
  allowed integer := coalesce(nullif(current_setting('customers.may_leave', true), ''), '20');
  leavers integer := count(*) from customers where left_at > now() - interval '1 day'
    or left_at is not null and id in (select id from former where left_at is null);
begin
  if leavers > allowed then raise '% customers would have left within a day, more than %', leavers, allowed; end if;
  return null;
end $$;
create trigger limit_leavers after update on customers referencing old table as former
  for each statement execute function limit_leavers();
create function refuse_deletion() returns trigger language plpgsql as $$ begin
  raise 'set left_at of a customer who leaves; a week later, the row can be deleted';
end $$;
create trigger keep before delete on customers for each row
  when (old.left_at is null or old.left_at > now() - interval '7 days') execute function refuse_deletion();

grant select on shards, customers, served, dashboard_tokens to worker, application;
grant insert, update, delete on dashboard_tokens to worker;
grant insert (id, name, data_source, region), update (name, data_source, region, rotated, left_at)
  on customers to application;
