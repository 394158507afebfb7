-- For the owner of the database. Afterwards, give each role a password, such as with \password of psql. A second database of the same
-- server shares the roles.
create table customers (
  id text primary key,
  name text not null,
  data_source text not null,
  region text not null,
  -- Another time gives the customer a new token.
  rotated timestamptz not null default now(),
  -- True gives the customer a new token, whose delivery ends the former ones and sets it back.
  leaked boolean not null default false,
  -- A customer who has left keeps the group for a week, so that a mistake can be taken back.
  left_at timestamptz,
  -- The trigger writes it: the week counts from the moment in which left_at is set, whatever day it names.
  ends_at timestamptz
);
create function time_changes() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' then
    new.ends_at := case when new.left_at is not null then '-infinity'::timestamptz end;
    return new;
  end if;
  if new.leaked and not old.leaked then new.rotated := clock_timestamp(); end if;
  new.ends_at := case
    when new.left_at is null then null
    when old.left_at is null then greatest(now(), new.left_at) + interval '7 days'
    else greatest(old.ends_at, case when isfinite(old.ends_at) then new.left_at + interval '7 days' end) end;
  return new;
end $$;
create trigger time_changes before insert or update on customers for each row execute function time_changes();
-- Who has a group. The keeper of `rotated` is a text that no time zone of a session changes.
create view served as
  select *, to_char(rotated at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as rotated_utc from customers
  where ends_at is null or ends_at > now();

create table dashboard_tokens (
  customer_id text not null,
  token text not null,
  valid_until timestamptz, -- null for the customer's current token
  stack text not null, -- the stack that delivers the token
  service text not null -- the address of the service that created it
);
create unique index on dashboard_tokens (customer_id, md5(token)); -- a token may be larger than an entry of an index
create unique index on dashboard_tokens (customer_id) where valid_until is null;

-- The program of index.ts, rotate.ts, deliver.ts, and your application.
do $$ begin create role customers_reader login; exception when duplicate_object then null; end $$;
do $$ begin create role tokens_rotator login; exception when duplicate_object then null; end $$;
do $$ begin create role tokens_writer login; exception when duplicate_object then null; end $$;
do $$ begin create role tokens_reader login; exception when duplicate_object then null; end $$;
grant select on served to customers_reader;
grant select (id, rotated, left_at), update (rotated) on customers to tokens_rotator;
grant select, insert, update, delete on dashboard_tokens to tokens_writer;
grant select (id, rotated_utc) on served to tokens_writer;
grant select (id, leaked), update (leaked) on customers to tokens_writer;
grant select on dashboard_tokens to tokens_reader;
