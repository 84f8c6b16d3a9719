// A terminal as it is drawn: xterm.js in Beckon's colours. What a shell prints goes nowhere else.
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal, type ITheme } from '@xterm/xterm';
import type { beckon } from '../bridge';
import { openLink } from '../text/links';
import { oneLine } from '../text/plain';
import { plainPaste } from './paste';
import { openWithin } from './policy';

/** How many lines above the screen are kept. */
const scrollback = 5000;
/** So much of a title is shown, in characters. */
const titleMost = 80;
/** The size of its text as drawn, where the page's is 16. */
const drawn = 12.5;

export interface Screen {
  term: Terminal;
  /** Makes it as large as its box, and returns that; undefined while the box is not drawn. */
  fit(): beckon.TerminalSize | undefined;
  dispose(): void;
}

/** The texts that a terminal says itself. */
export interface Words {
  input: string;
  much: string;
}

/** Opens a terminal in a box. Titles are of what runs in it: they are text, and short. */
export function openScreen(
  box: HTMLElement,
  words: Words,
  onTitle: (title: string) => void,
): Screen {
  Terminal.strings.promptLabel = words.input;
  Terminal.strings.tooMuchOutput = words.much;
  const term = new Terminal({
    ...looks(),
    scrollback,
    cursorBlink: false,
    minimumContrastRatio: 4.5,
    allowProposedApi: false,
    linkHandler: {
      activate: (_, url) => openLink(url), // of http and https only: xterm.js lets no other be pressed
      hover: (_, url) => (box.title = oneLine(url).slice(0, 500)), // its text may say another
      leave: () => (box.title = ''),
    },
  });
  const fit = new FitAddon();
  term.loadAddon(fit);
  openWithin(term, box);
  box.addEventListener('paste', (event) => paste(term, event), { capture: true });
  term.onTitleChange((title) =>
    onTitle(oneLine(title.slice(0, titleMost * 4)).slice(0, titleMost)),
  );
  const restyle = () => Object.assign(term.options, looks());
  const root = new MutationObserver(restyle);
  root.observe(document.documentElement, { attributes: true });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', restyle);
  return {
    term,
    fit: () => {
      const size = fit.proposeDimensions();
      if (!size || !(size.cols > 1 && size.rows > 0)) return undefined;
      term.resize(size.cols, size.rows);
      return { cols: size.cols, rows: size.rows };
    },
    dispose: () => {
      root.disconnect();
      dark.removeEventListener('change', restyle);
      term.dispose();
    },
  };
}

/** Pastes text, and no keys: an escape in it would end the brackets around what is pasted. */
function paste(term: Terminal, event: ClipboardEvent): void {
  event.preventDefault();
  event.stopPropagation(); // xterm.js would paste it as it is
  term.paste(plainPaste(event.clipboardData?.getData('text/plain') ?? ''));
}

function looks(): { theme: ITheme; fontFamily: string; fontSize: number } {
  const style = getComputedStyle(document.documentElement);
  return {
    theme: themeOf((name) => style.getPropertyValue(name).trim()),
    fontFamily: style.getPropertyValue('--mono').trim(),
    fontSize: (drawn * (parseFloat(style.fontSize) || 16)) / 16,
  };
}

/** The sixteen colours, of those that the page has; what is too faint on its ground is made stronger when it is drawn. */
function themeOf(colour: (name: string) => string): ITheme {
  const [red, green, yellow] = [colour('--bad-text'), colour('--ok-text'), colour('--syn-num')];
  const [blue, magenta, cyan] = [colour('--syn-fn'), colour('--syn-kw'), colour('--p1')];
  return {
    background: colour('--sunken'),
    foreground: colour('--ink'),
    cursor: colour('--ink'),
    cursorAccent: colour('--sunken'),
    selectionBackground: colour('--run-line'),
    black: colour('--ink-3'),
    brightBlack: colour('--ink-3'),
    white: colour('--ink-2'),
    brightWhite: colour('--ink'),
    ...{ red, green, yellow, blue, magenta, cyan },
    ...{ brightRed: red, brightGreen: green, brightYellow: yellow },
    ...{ brightBlue: blue, brightMagenta: magenta, brightCyan: cyan },
    scrollbarSliderBackground: colour('--line-control'),
    scrollbarSliderHoverBackground: colour('--ink-3'),
    scrollbarSliderActiveBackground: colour('--ink-3'),
  };
}
