create table ledger (
  id           bigint primary key,
  merchant     text not null,
  amount_minor bigint not null,
  corrects     bigint references ledger (id)
);
