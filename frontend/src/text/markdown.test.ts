// @vitest-environment jsdom
import DOMPurify from 'dompurify';
import { describe, expect, test, vi } from 'vitest';
import { renderMarkdown, safeURL } from './markdown';

function html(source: string): string {
  return renderMarkdown(source)
    .map((b) => (b.kind === 'html' ? b.html : `[${b.kind}]`))
    .join('');
}

function elements(source: string): Element[] {
  const body = new DOMParser().parseFromString(html(source), 'text/html').body;
  return [...body.querySelectorAll('*')];
}

describe('nothing an agent writes can act', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '![pixel](https://evil.test/p.png)',
    '![x](data:image/svg+xml;base64,PHN2Zz4=)',
    '[click](javascript:alert(1))',
    '[click](JaVaScRiPt:alert(1))',
    '[click](java\tscript:alert(1))',
    '[click](&#106;avascript:alert(1))',
    '[click](data:text/html,<script>alert(1)</script>)',
    '[click](vbscript:x)',
    '[click](file:///etc/passwd)',
    '[click](//evil.test)',
    '[click](/relative)',
    '[click](blob:https://x/1)',
    '<javascript:alert(1)>',
    '[a]: javascript:alert(1)\n\n[a]',
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
    '<form action=https://evil.test><input type=submit></form>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<meta http-equiv=refresh content="0;url=https://evil.test">',
    '<style>@import "https://evil.test"</style>',
    '<a href="https://x.test" onclick="alert(1)" style="position:fixed">x</a>',
    '[x](https://a.test "\\" onmouseover=alert(1) \\"")',
    '`</code><script>alert(1)</script>`',
    '| a |\n|---|\n| <img src=x onerror=alert(1)> |',
    '- [x] <input autofocus onfocus=alert(1)>',
  ])('%s', (source) => {
    for (const element of elements(source)) {
      expect(
        'p br hr h3 h4 h5 h6 ul ol li blockquote pre code em strong del a span table thead tbody tr th td'.split(
          ' ',
        ),
      ).toContain(element.localName);
      for (const { name, value } of element.attributes) {
        expect(['href', 'title', 'start']).toContain(name);
        if (name === 'href') expect(value).toMatch(/^(https?:\/\/|mailto:)/);
      }
    }
  });
});

test.each([
  ['words', 'a **bold** *word*, `code`, ~~none~~ & <b>, "it\'s" \\*so\\*', false],
  ['lists and quotes', '## Plan\n\n1. one\n2. two\n   - inner\n\n> said\n\n---', false],
  ['a table', '| a | b |\n|---|---|\n| 1 | <td onclick=x> |', false],
  ['a tag that is no tag of ours', '<script>alert(1)</script>', false],
  ['a link', '[web](https://x.test)', true],
  ['a list that begins later', '3. three', true],
  ['a table with sides', '| a |\n|:-:|\n| 1 |', true],
])('%s: what goes by the cleaner is what the cleaner would leave', (_, source, cleaned) => {
  const sanitize = vi.spyOn(DOMPurify, 'sanitize');
  const got = html(source);
  expect(sanitize.mock.calls.length > 0).toBe(cleaned);
  sanitize.mockRestore();
  const page = (text: string) => new DOMParser().parseFromString(text, 'text/html').body.innerHTML;
  expect(page(got)).toBe(page(DOMPurify.sanitize(got)));
});

test('what was written stays readable, tags as text', () => {
  expect(html('a <b>c</b> & d')).toBe('<p>a &lt;b&gt;c&lt;/b&gt; &amp; d</p>\n');
  expect(html('![a chart](https://x.test/c.png)')).toContain(
    '<a href="https://x.test/c.png" title="https://x.test/c.png">a chart</a>',
  );
  expect(html('[safe](https://x.test/?a=1&b=2)')).toContain('href="https://x.test/?a=1&amp;b=2"');
});

test('headings stand below those of the page, code is apart', () => {
  expect(renderMarkdown('# T\n\n```go\nfunc x() {}\n```\n\n- [x] done')).toEqual([
    { kind: 'html', html: '<h3>T</h3>' },
    { kind: 'code', text: 'func x() {}', language: 'go' },
    { kind: 'html', html: expect.stringContaining('☑ done') as string },
  ]);
});

test('headings begin below those of the page, whatever the agent began with', () => {
  expect(html('## Plan\n\n### Risk')).toBe('<h3>Plan</h3><h4>Risk</h4>');
});

test('text that turns around or hides is shown to do so', () => {
  expect(html('evil\u202Eexe.txt')).toContain('⟨U+202E⟩');
});

describe('what is too deep, long or dense is shown as it was written, and at once', () => {
  test.each([
    ['quotes', '>'.repeat(100_000)],
    ['brackets', '['.repeat(100_000)],
    ['stars', '*'.repeat(100_000)],
    ['one line of a megabyte', 'x'.repeat(1 << 20)],
    ['lists', Array.from({ length: 100 }, (_, i) => ' '.repeat(i) + '- a').join('\n')],
    ['a table without end', '|a'.repeat(4000) + '|\n' + '|-'.repeat(4000)],
    ['html', '<a'.repeat(50_000)],
  ])('%s', (_, source) => {
    const started = performance.now();
    expect(renderMarkdown(source)).toEqual([{ kind: 'raw', text: source }]);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

test('only web and mail addresses may be followed', () => {
  expect(
    ['https://a.test', 'http://a.test', 'mailto:a@b.test'].map((u) => safeURL(u) !== ''),
  ).toEqual([true, true, true]);
  for (const bad of ['javascript:x', 'file:///x', 'data:x', 'wails://x', 'ftp://x', '//x', 'x', ''])
    expect(safeURL(bad)).toBe('');
});
