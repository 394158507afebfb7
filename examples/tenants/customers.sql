-- The table that database.ts reads, with the customers of customers.csv.
CREATE TABLE customers (
  id text PRIMARY KEY,
  name text NOT NULL,
  warehouse text NOT NULL,
  region text NOT NULL,
  seats integer NOT NULL
);

INSERT INTO customers VALUES
  ('acme', 'Acme Corporation', 'acme-warehouse', 'eu', 25),
  ('globex', 'Globex, Inc.', 'globex-warehouse', 'us', 10),
  ('initech', 'Initech', 'shared-eu', 'eu', 5),
  ('umbrella.example', 'Umbrella', 'umbrella-warehouse', 'us', 120);
