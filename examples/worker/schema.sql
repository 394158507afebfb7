-- For the owner of the database. Afterwards, give both roles a password, such as with \password of psql. A second database of the same
-- server shares the roles.
do $$ begin create role worker login; exception when duplicate_object then null; end $$; -- worker.ts
do $$ begin create role application login; exception when duplicate_object then null; end $$; -- signs customers up, and renders
grant worker to current_user;
create schema pgboss authorization worker; -- the queue
create schema pulumi authorization worker; -- the states
alter role worker set search_path = pulumi, public;

-- The stacks. Another row is room for more customers, and moves nobody.
create table shards (
  name text primary key,
  room integer not null default 300, -- customers
  deletion_limit integer not null default 20,
  removed text not null default 'delete' check (removed in ('delete', 'retain')),
  size integer not null default 0, -- customers at the stack's last job
  problem text -- why the stack's last job failed; null if it succeeded
);
insert into shards select 'customers-' || number from generate_series(1, 4) as number;

create domain text_line as text check (value ~ '^[^[:cntrl:][:space:]]([^[:cntrl:]]*[^[:cntrl:][:space:]])?$');
create table customers (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9.-]*$'),
  name text_line not null,
  data_source text_line not null,
  region text not null check (region in ('eu', 'us')),
  rotated timestamptz not null default now(), -- another time gives the customer a new token
  leaked boolean not null default false, -- true gives a new token and ends the former ones at once; then a worker sets it back
  left_at timestamptz, -- null again for a customer who comes back
  shard text not null references shards,
  -- The triggers write these times of changes, by the clock of the database.
  leaving_since timestamptz,
  ends_at timestamptz,
  renewed_at timestamptz
);
create index on customers (shard);
create index on customers (leaving_since) where leaving_since is not null;
create index on customers (ends_at) where ends_at is not null;
create index on customers (renewed_at) where renewed_at is not null;
-- Who has a group. The keeper of `rotated` is a text that no time zone of a session changes.
create view served as
  select *, to_char(rotated at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as rotated_utc from customers
  where ends_at is null or ends_at > now();

create table dashboard_tokens (
  customer_id text not null references customers,
  token text not null,
  valid_until timestamptz -- null for the customer's current token
);
create unique index on dashboard_tokens (customer_id, md5(token)); -- a token may be larger than an entry of an index
create unique index on dashboard_tokens (customer_id) where valid_until is null;
create index on dashboard_tokens (valid_until) where valid_until is not null;

-- Changes that no `up` has applied yet. A worker sends a job for their stack, and deletes them after it.
create table changes (
  id bigint generated always as identity primary key,
  shard text not null,
  since timestamptz not null default now(),
  is_sent boolean not null default false
);
create index on changes (shard);
create index on changes (id) where not is_sent;
-- What an `up` is about to apply. It stays here if the `up` is killed, and the next worker applies it first.
create table applying (shard text primary key references shards, arguments jsonb not null);

-- The stacks for which time has brought work, or that have some left.
create view due as select name as shard from shards where
  exists (select from changes where shard = shards.name)
  or exists (select from applying where shard = shards.name)
  or exists (select from served where shard = shards.name
    and not exists (select from dashboard_tokens where customer_id = id and valid_until is null))
  or exists (select from dashboard_tokens join customers on id = customer_id
    where shard = shards.name and (valid_until <= now() or ends_at <= now()));

-- A customer gets the stack with more room of two that have some, and stays there.
create function choose_shard() returns trigger language plpgsql security definer set search_path = public as $$ begin
  select name into new.shard from (select name, room from shards order by size >= room, random() limit 2) as two
    order by room - (select count(*) from customers where shard = two.name) desc limit 1;
  return new;
end $$;
create trigger choose_shard before insert on customers for each row
  when (new.shard is null) execute function choose_shard();

-- Writes the times of changes. A customer keeps the group for a week from the moment in which `left_at` is set, whatever day it names.
create function time_insertion() returns trigger language plpgsql as $$ begin
  new.leaving_since := case when new.left_at is not null then '-infinity'::timestamptz end;
  new.ends_at := new.leaving_since;
  new.renewed_at := null;
  return new;
end $$;
create trigger time_insertion before insert on customers for each row execute function time_insertion();
create function time_update() returns trigger language plpgsql as $$ begin
  if new.leaked and not old.leaked then new.rotated := clock_timestamp(); end if;
  new.renewed_at := case when (new.name, new.data_source, new.region, new.rotated)
    is distinct from (old.name, old.data_source, old.region, old.rotated) then now() else old.renewed_at end;
  if new.left_at is null then new.leaving_since := null;
  elsif old.left_at is null then new.leaving_since := now();
  else new.leaving_since := old.leaving_since; end if;
  new.ends_at := greatest(new.leaving_since, case when isfinite(new.leaving_since) then new.left_at end) + interval '7 days';
  return new;
end $$;
create trigger time_update before update on customers for each row execute function time_update();

-- Notes the stacks of what has changed, and wakes a worker after the commit.
create function note_insertions() returns trigger language plpgsql security definer set search_path = public as $$ begin
  insert into changes (shard) select distinct shard from changed;
  notify customers;
  return null;
end $$;
create trigger note_insertions after insert on customers referencing new table as changed
  for each statement execute function note_insertions();
create function note_updates() returns trigger language plpgsql security definer set search_path = public as $$ begin
  insert into changes (shard) select distinct shard from (
    (select * from former except select * from changed) union all (select * from changed except select * from former)) as differing;
  notify customers;
  return null;
end $$;
create trigger note_updates after update on customers referencing old table as former new table as changed
  for each statement execute function note_updates();

-- At most 20 customers leave in a day, and at most 20 or a tenth of all get a new token, in all stacks and any number of steps.
-- For more, in the same transaction: set local customers.may_leave = 500; set local customers.may_change = 500;
create function limit_changes() returns trigger language plpgsql as $$ declare
  may_leave integer := coalesce(nullif(current_setting('customers.may_leave', true), ''), '20');
  may_change integer := nullif(current_setting('customers.may_change', true), '');
  counted integer;
begin
  if exists (select from changed join former using (id) where former.left_at is null and changed.left_at is not null) then
    perform pg_advisory_xact_lock(hashtext('customers who leave'));
    select count(*) into counted from customers where leaving_since > now() - interval '1 day';
    if counted > may_leave then raise '% customers would have left within a day, more than %', counted, may_leave; end if;
  end if;
  if exists (select from changed join former using (id) where changed.renewed_at is distinct from former.renewed_at) then
    select count(*) into counted from customers where renewed_at > now() - interval '1 day';
    if may_change is null and counted > 20 then select greatest(20, count(*) / 10) into may_change from customers; end if;
    if counted > may_change then
      raise '% customers would have got a new token within a day, more than %', counted, may_change;
    end if;
  end if;
  return null;
end $$;
create trigger limit_changes after update on customers referencing old table as former new table as changed
  for each statement execute function limit_changes();
create function refuse_deletion() returns trigger language plpgsql as $$ begin
  raise 'set left_at of a customer who leaves; a week later, the row can be deleted';
end $$;
create trigger refuse_deletion before delete on customers for each row
  when (old.ends_at is null or old.ends_at > now()) execute function refuse_deletion();
create trigger refuse_truncation before truncate on customers for each statement execute function refuse_deletion();

-- A customer moves to another stack with the token, because the former stack keeps its groups until it has released them.
create function check_move() returns trigger language plpgsql security definer set search_path = public as $$ begin
  perform from shards where name = old.shard and removed = 'retain' for share;
  if not found then raise 'before, set removed of stack % to ''retain''', old.shard; end if;
  return new;
end $$;
create trigger check_move before update of shard on customers for each row
  when (old.shard <> new.shard) execute function check_move();
create function check_removed() returns trigger language plpgsql security definer set search_path = public as $$ begin
  if exists (select from changes where shard = old.name) or exists (select from applying where shard = old.name) then
    raise 'stack % hasn''t released its customers yet', old.name;
  end if;
  return new;
end $$;
create trigger check_removed before update of removed on shards for each row
  when (old.removed = 'retain' and new.removed <> 'retain') execute function check_removed();

grant select on shards, customers, served, dashboard_tokens, due to worker, application;
grant select, insert, update, delete on dashboard_tokens, changes, applying to worker;
grant update (size, problem) on shards to worker;
grant update (leaked) on customers to worker;
grant insert (id, name, data_source, region), update (name, data_source, region, rotated, leaked, left_at)
  on customers to application;
