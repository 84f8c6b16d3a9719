// Markdown of an agent, turned into HTML that can do nothing: no scripts, no
// styles, no pictures, no forms, and links that only say where they lead.

import DOMPurify from 'dompurify';
import { Marked, type Token, type Tokens } from 'marked';
import { plain } from './plain';

const tags = [
  'p',
  'br',
  'hr',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'code',
  'em',
  'strong',
  'del',
  'a',
  'span',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
];

// marked is recursive and in places quadratic. What is deeper, longer or
// denser than this is no prose, and is shown as it was written.
const maxLength = 128 << 10;
const maxLine = 8 << 10;
const maxDepth = 24;
const deepItem = /^\s{72,}(?:[-*+]|\d{1,9}[.)])\s/; // lists of that many levels are as deep

/** safeURL returns a link's address when a person may follow it, else "". */
export function safeURL(href: string): string {
  try {
    const url = new URL(href);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : '';
  } catch {
    return '';
  }
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (c) => entities[c]!);
}

/** wordOf is the language that a fence names. */
function wordOf(info: string | undefined): string {
  return /^[\w+#-]{1,20}/.exec(info ?? '')?.[0] ?? '';
}

function link(href: string, inner: string): string {
  const url = safeURL(href);
  if (!url) return `<span>${inner}</span>`;
  return `<a href="${escaped(url)}" title="${escaped(url)}">${inner}</a>`;
}

const parser = new Marked({
  async: false,
  gfm: true,
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escaped(text),
    link({ href, tokens }: Tokens.Link) {
      return link(href, this.parser.parseInline(tokens));
    },
    // A picture would be fetched from where the agent chose.
    image: ({ href, text }: Tokens.Image) => link(href, escaped(text || href)),
    heading({ tokens, depth }: Tokens.Heading) {
      const level = Math.min(6, depth + 2);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    code: ({ text }: Tokens.Code) => `<pre><code>${escaped(text)}</code></pre>`,
    checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑ ' : '☐ '),
  },
});

/** tooWild tells text that no parser should be given. */
function tooWild(text: string): boolean {
  if (text.length > maxLength) return true;
  for (const line of text.split('\n')) {
    if (line.length > maxLine) return true;
    const lead = /^[\s>*+\-\d.)]*/.exec(line)?.[0] ?? '';
    if ((lead.match(/[>*+-]|\d[.)]/g)?.length ?? 0) > maxDepth || lead.length > 400) return true;
    if (
      deepItem.test(line) ||
      /([[(*_~`!<])\1{99}/.test(line) ||
      (line.match(/[[<|]/g)?.length ?? 0) > 200
    )
      return true;
  }
  return false;
}

/** Block is a part of a rendered text: inert HTML, code, or text as it was written. */
export type Block =
  | { kind: 'html'; html: string }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'raw'; text: string };

/** renderMarkdown splits a text into blocks. It never throws. */
export function renderMarkdown(source: string): Block[] {
  const text = plain(source);
  const tokens = lex(text);
  return (tokens && render(levelled(tokens))) ?? [{ kind: 'raw', text }];
}

/** lex reads plain text; null where no parser should be given it. */
export function lex(text: string): Token[] | null {
  if (tooWild(text)) return null;
  try {
    return parser.lexer(text);
  } catch {
    return null;
  }
}

/** render turns what was read into blocks; null where it cannot be shown. */
export function render(tokens: Token[]): Block[] | null {
  try {
    return blocksOf(tokens);
  } catch {
    return null;
  }
}

/** levelled lets headings begin at the first level, whatever the agent began with. */
function levelled(tokens: Token[]): Token[] {
  const headings = tokens.filter((t): t is Tokens.Heading => t.type === 'heading');
  const top = Math.min(...headings.map((h) => h.depth));
  for (const heading of headings) heading.depth -= top - 1;
  return tokens;
}

function blocksOf(tokens: Token[]): Block[] {
  const blocks: Block[] = [];
  let prose: Token[] = [];
  const endProse = () => {
    if (prose.some((t) => t.type !== 'space'))
      blocks.push({ kind: 'html', html: clean(parser.parser(prose)) });
    prose = [];
  };
  for (const token of tokens) {
    if (token.type === 'code') {
      endProse();
      blocks.push({
        kind: 'code',
        text: token.text as string,
        language: wordOf(token.lang as string | undefined),
      });
    } else prose.push(token);
  }
  endProse();
  return blocks;
}

const bareTags = new Set(tags.flatMap((tag) => [`<${tag}>`, `</${tag}>`]));

/** Whether each "<" of it begins an inert tag without an attribute: then there is nothing that could be taken out. */
function isBare(html: string): boolean {
  for (const [tag] of html.matchAll(/<[^>]*>?/g)) if (!bareTags.has(tag)) return false;
  return true;
}

/** Most prose is bare, and to make a document of it, as the other way does, takes twenty times as long. */
function clean(html: string): string {
  if (isBare(html)) return html;
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: ['href', 'title', 'start'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}
