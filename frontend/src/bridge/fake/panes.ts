// What the agents of the sample did last, in short: what Mission Control is
// drawn with. A line is one thing: "read PATH 412", "edit PATH +64 -3",
// "run COMMAND" with "!" before it where it failed and "…" while it goes on.
export const panes: Record<string, string[]> = {
  'kes-47': ['say The grammar accepts several `during` clauses, and nothing checks that they are disjoint. I can add the check in `planRanges`, but what should happen on overlap is a product decision.'],
  'orc-86': [
    'plan 4', 'say The handler mixes five event types and shares one transaction. I split it so that each event owns its own.',
    'me Keep the old route until the dashboard is switched over.', 'read src/billing/webhooks.ts 412',
    'say Good. I keep `/webhooks/stripe` as a thin dispatcher and move each event into its own module, so nothing changes for Stripe.',
    'edit events/invoice-paid.ts +64 -0', 'edit events/subscription-updated.ts +81 -0', '…edit webhooks.ts +9 -143',
  ],
  'orc-90': [
    'me Default to EUR. Amounts stay in minor units.', 'search amount 31', 'read prisma/schema.prisma 288', 'edit prisma/schema.prisma +2 -1',
    'say The schema is ready. Next I generate the migration against the local database.',
  ],
  'kes-50': [
    'say The encoder writes straight to the response. I keep the JSON array path untouched and switch on `Accept: application/x-ndjson`.',
    'edit server/stream.go +58 -12', 'run go vet ./server', 'think Flushing costs.', 'say Flushing per row costs 11 % throughput. I batch 64 rows or 20 ms, whichever comes first.',
    'edit server/stream.go +38 -0', '…run go test ./...',
  ],
  'led-21': [
    'me Plan first. Rounding must stay half to even.', 'search fn total 14', 'read src/journal.rs 388',
    'say I have a plan: 6 steps, 4 files, no schema change. The risky part is rounding, which I isolate behind one function first.',
  ],
  'doc-10': ['say I start from the reliability page and the client, then write one table for all services.', 'me Take the numbers from the code, not from the old page.', 'read content/reliability.md 96', 'say The page says five tries. I check that against the client first.', '…search backoff 0'],
  'kes-44': ['say Peak memory is now 41 MB at 10 k shards, down from 1.9 GB. All 212 tests pass.', 'run go test -race ./...', 'turn 6'],
  'orc-85': ['say Two tests still fail: both freeze the clock through moment. They need your call, so I left them.', '!run pnpm test', 'turn 4'],
  'led-20': ['read src/balance.rs 130', 'edit src/mt940.rs +121 -0'],
};
