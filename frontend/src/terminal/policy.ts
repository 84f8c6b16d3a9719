// xterm.js writes style elements and style attributes, which the page's policy forbids: "style-src
// 'self'" keeps what an agent wrote from styling the page. What it makes is made here so that the
// same goes through the browser's style objects, which the policy leaves alone.

import type { Terminal } from '@xterm/xterm';

/** A style element in name only: its text is a sheet of the document's. */
function sheetElement(): HTMLElement {
  const element = document.createElement('span');
  element.hidden = true;
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperty(element, 'textContent', {
    set: (text: string) => sheet.replaceSync(text),
  });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    Element.prototype.remove.call(element);
  };
  return element;
}

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}

function create(name: string): HTMLElement {
  if (name === 'style') return sheetElement();
  const element = Document.prototype.createElement.call(document, name);
  if (name === 'span') element.setAttribute = setAttribute;
  return element;
}

/** The parts of xterm.js that lead to what makes the elements of its rows. */
interface Inside {
  _core?: {
    coreService?: { onUserInput(heard: () => void): unknown };
    _renderService?: { _renderer?: { value?: { _rowFactory?: { _document: unknown } } } };
  };
}

/**
 * Hears what goes to the shell, and whether a person typed or pasted it: else it is an answer of
 * xterm.js to what was printed. A version that says so elsewhere fails the browser test with what
 * is typed during a flood.
 */
export function onInput(term: Terminal, heard: (text: string, typed: boolean) => void): void {
  let typed = false;
  (term as Inside)._core?.coreService?.onUserInput(() => (typed = true)); // just before the data
  term.onData((text) => {
    const was = typed;
    typed = false;
    heard(text, was);
  });
}

/** Opens a terminal that keeps to the policy. */
export function openWithin(term: Terminal, box: HTMLElement): void {
  Object.defineProperty(document, 'createElement', { value: create, configurable: true });
  try {
    term.open(box); // which makes its styles at once
  } finally {
    Reflect.deleteProperty(document, 'createElement'); // the prototype's is left
  }
  // Its rows are of the page's document, whatever its options say: a version that has them
  // elsewhere fails the browser test with colours of a program's own.
  const rows = (term as Inside)._core?._renderService?._renderer?.value?._rowFactory;
  if (rows) rows._document = { createElement: create };
}
