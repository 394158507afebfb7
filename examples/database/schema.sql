-- For the owner of the database. Afterwards, give each role a password, such as with \password of psql.
create table customers (
  id text primary key,
  name text not null,
  data_source text not null,
  region text not null,
  -- Another date gives the customer a new token.
  rotated date not null default current_date,
  -- A customer who has left keeps the group for a week, so that a mistake can be taken back.
  left_at timestamptz
);
create table dashboard_tokens (
  customer_id text not null,
  token text not null,
  valid_until timestamptz, -- null for the customer's current token
  stack text not null, -- the stack that delivers the token
  service text not null, -- the address of the service that created it
  primary key (customer_id, token)
);
create unique index on dashboard_tokens (customer_id) where valid_until is null;

-- The program of index.ts, rotate.ts, deliver.ts, and your application.
create role customers_reader login;
create role tokens_rotator login;
create role tokens_writer login;
create role tokens_reader login;
grant select on customers to customers_reader;
grant select (id, rotated, left_at), update (rotated) on customers to tokens_rotator;
grant select, insert, update, delete on dashboard_tokens to tokens_writer;
grant select on dashboard_tokens to tokens_reader;
