import type * as beckon from '../types';
import { panes } from './panes';

const blank = { parent: '', text: '', notice: '', part: 0 } as const;

const plan = JSON.stringify({
  todos: [
    { content: 'Parse the header', status: 'completed' },
    { content: 'Parse the balances', activeForm: 'Parsing the balances', status: 'in_progress' },
    { content: 'Test against both banks', status: 'pending' },
  ],
});

/** A short session of a task, as if folded from its log. */
export function sampleEntries(taskId: string, now: number): beckon.Entry[] {
  const runId = `run-${taskId}`;
  const short = panes[taskId];
  if (short) return short.map((line, i) => complete(fromLine(line), runId, i, now));
  const entries: Partial<beckon.Entry>[] = [
    { kind: 'notice', notice: 'init', text: 'opus' },
    { kind: 'user', text: 'Start with the header, then the balances. Two banks are enough for now.', pictures: [{ pos: 2, index: 0, type: 'image/png', size: 9000 }] },
    { kind: 'thinking', text: 'The samples differ in the balance line. I should read both before I write a parser.' },
    { kind: 'tool', tool: tool('Agent', 'delegating', 'Find every sample with a balance', { result: 'Two of them.' }) },
    { kind: 'text', parent: 'toolu_3', text: 'I look through the samples.' },
    { kind: 'tool', parent: 'toolu_3', tool: tool('Grep', 'searching', ':60F:', { result: 'ing.sta\nrabo.sta' }) },
    { kind: 'tool', tool: tool('TodoWrite', 'planning', '', { input: plan }) },
    { kind: 'tool', tool: tool('Read', 'reading', 'testdata/mt940/ing.sta', { result: '61 lines' }) },
    { kind: 'tool', tool: tool('Bash', 'executing', 'cargo test mt940::header', { result: 'running 4 tests\n....\ntest result: ok. 4 passed' }) },
    { kind: 'text', text: 'The header parses. Next come the **balance lines**, which differ between banks, so I read the two samples first.\n\n```rust\nlet balance = Balance::parse(line)?;\n```' },
    { kind: 'tool', tool: tool('Edit', 'editing', 'src/mt940.rs', { diff: '@@ -1,3 +1,4 @@\n use chrono::NaiveDate;\n-fn parse() {}\n+fn parse(line: &str) -> Result<Balance> {\n+    Balance::from(line)\n }', added: 2, removed: 1 }) },
    { kind: 'tool', tool: tool('Bash', 'executing', 'cargo test', { failed: true, result: 'error[E0308]: mismatched types\n  --> src/balance.rs:12:5' }) },
    { kind: 'text', text: 'The grammar accepts several `during` clauses, and nothing checks that they are disjoint. What should happen on overlap is a product decision.' },
  ];
  return entries.map((entry, i) => complete(entry, runId, i, now));
}

function fromLine(line: string): Partial<beckon.Entry> {
  const [, sign = '', word = '', rest = ''] = /^([!…]?)(\w+) (.*)$/.exec(line) ?? [];
  const [, target = '', a = '', b = ''] = /^(.*?)(?: \+?(\d+))?(?: -(\d+))?$/.exec(rest) ?? [];
  const more = { done: sign !== '…', failed: sign === '!', result: sign === '…' ? '' : Array.from({ length: Number(a) || 1 }, (_, i) => `${i}`).join('\n') };
  switch (word) {
    case 'me':
      return { kind: 'user', text: rest };
    case 'think':
      return { kind: 'thinking', text: rest };
    case 'turn':
      return { kind: 'turn', turn: { number: Number(rest), durationMs: 842_000, tokens: 318_000, costUsd: 1.44, failed: false, interrupted: false, reason: '' } };
    case 'read':
      return { kind: 'tool', tool: tool('Read', 'reading', target, more) };
    case 'search':
      return { kind: 'tool', tool: tool('Grep', 'searching', target, more) };
    case 'edit':
      return { kind: 'tool', tool: tool(b === '0' ? 'Write' : 'Edit', 'editing', target, { ...more, added: Number(a), removed: Number(b) }) };
    case 'run':
      return { kind: 'tool', tool: tool('Bash', 'executing', rest, more) };
    case 'plan':
      return { kind: 'tool', tool: tool('TodoWrite', 'planning', '', { ...more, input: JSON.stringify({ todos: [{ status: 'completed' }, { status: 'completed' }, { status: 'pending' }, { status: 'pending' }] }) }) };
    default:
      return { kind: 'text', text: rest };
  }
}

function complete(entry: Partial<beckon.Entry>, runId: string, i: number, now: number): beckon.Entry {
  const tool = entry.tool && { ...entry.tool, useId: `toolu_${i}` };
  return { ...blank, id: tool?.useId ?? `e${i}`, runId, pos: i + 1, kind: 'text', at: now - (20 - i) * 20_000, ...entry, ...(tool ? { tool } : {}) };
}

function tool(name: string, verb: beckon.Verb, target: string, more: Partial<beckon.ToolCall>): beckon.ToolCall {
  return { useId: '', name, verb, target, input: JSON.stringify({ target }), diff: '', added: 0, removed: 0, done: true, failed: false, result: '', cut: 0, orphan: false, ...more };
}
