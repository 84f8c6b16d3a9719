import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

// Which folders of src a folder may import, besides itself. Features know the
// leaves (outside, question, transcript, completion, chat, form) and never each other; app composes them all.
// commands says what can be done, whichever feature does it; menus and the palette list it.
const low = ['ui', 'i18n', 'bridge', 'state'];
const leaves = [
  'text',
  'outside',
  'question',
  'transcript',
  'completion',
  'chat',
  'form',
  'scripts',
];
const arrows = {
  ui: [],
  i18n: [],
  bridge: [],
  state: ['bridge', 'i18n', 'ui'],
  text: low,
  // How a session elsewhere stands and is called; its questions say so too.
  outside: [...low, 'text'],
  question: [...low, 'text', 'outside'],
  transcript: [...low, 'text', 'question'],
  // What completes the word at the caret of a field.
  completion: [...low, 'text'],
  chat: [...low, 'text', 'question', 'transcript', 'completion'],
  form: [...low, 'text', 'completion'],
  // A project's commands in the worktree of a task.
  scripts: [...low, 'text'],
  // How a board is looked at; its cards know nothing of it.
  filter: [...low, 'text'],
  archive: [...low, ...leaves, 'review'],
  numbers: [...low, ...leaves, 'limits'],
  board: [...low, ...leaves, 'filter'],
  keys: low,
  commands: [...low, ...leaves, 'board', 'filter', 'review', 'app'],
  palette: [...low, ...leaves, 'keys', 'commands', 'board', 'search', 'app'],
  task: [...low, ...leaves, 'review', 'commands'],
  review: [...low, ...leaves],
  inbox: [...low, ...leaves],
  projects: [...low, ...leaves],
  settings: [...low, ...leaves, 'keys'],
  mission: [...low, ...leaves],
  search: [...low, ...leaves, 'board', 'palette'],
};

// The phone's page is another page: it shares what knows nothing of the desk's
// state, of which it may name the types. vite.phone.config.ts looks at what that
// brings along.
const phone = {
  files: ['src/phone/**'],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex:
              '^(\\.\\./)+(state|app|outside|transcript|completion|chat|form|board|inbox|task|settings|mission|review|search|archive|projects|filter)(/|$)|wailsjs',
            message: 'The phone has no desk.',
          },
          {
            regex: '^\\.\\./bridge',
            allowTypeImports: true,
            message: 'The phone talks to Beckon by wire.ts.',
          },
        ],
      },
    ],
  },
};

// An input method has Enter and Escape of its own, and browsers differ in how
// they say so: ui/caps.ts alone reads them of an event.
const message =
  'Ask capOf or isEnter of ui/caps which key it was: an input method may have taken it.';
const keys = {
  files: ['src/**'],
  ignores: ['src/ui/caps.ts', '**/*.test.ts'],
  rules: {
    'no-restricted-syntax': [
      'error',
      ...[
        'MemberExpression[property.name=/^(isComposing|keyCode)$/]',
        ":matches(Literal[value='Escape'], Property[key.name='Escape'])",
        "BinaryExpression:has(> MemberExpression[property.name='key']) > Literal[value='Enter']",
        "SwitchStatement[discriminant.property.name='key'] > SwitchCase > Literal[value='Enter']",
        "CallExpression[callee.property.name=/^(includes|has)$/]:has(> MemberExpression[property.name='key']) Literal[value='Enter']",
        "MemberExpression[property.property.name='key'] > ObjectExpression > Property[key.name='Enter']",
      ].map((selector) => ({ selector, message })),
    ],
  },
};

function allow(folder, allowed) {
  const others = Object.keys(arrows)
    .concat('app', 'phone')
    .filter((f) => f !== folder && !allowed.includes(f));
  const patterns = [
    {
      regex: `^(\\.\\./)+(${others.join('|')})(/|$)`,
      message: `src/${folder} may import only: ${allowed.join(', ') || 'nothing of ours'}.`,
    },
  ];
  if (folder !== 'bridge')
    patterns.push({ regex: 'wailsjs', message: 'Only src/bridge talks to Wails.' });
  return {
    files: [`src/${folder}/**`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

export default ts.config(
  { ignores: ['dist/', 'node_modules/', 'wailsjs/'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Routes are hashes, and Svelte's link resolver belongs to SvelteKit.
      'svelte/no-navigation-without-resolve': 'off',
      // It compiles without TypeScript and so takes every comment for unused.
      'svelte/no-unused-svelte-ignore': 'off',
      // Maps are passing values here; what is watched is replaced as a whole.
      'svelte/prefer-svelte-reactivity': 'off',
      // Text of agents is shown as text. The one place that makes sanitised
      // HTML says so where it does.
      'svelte/no-at-html-tags': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig },
    },
    // The compiler and svelte-check know the page's types; the linter does not.
    rules: { 'no-undef': 'off' },
  },
  { files: ['**/*.ts'], rules: { 'no-undef': 'off' } },
  { files: ['*.js', '*.ts', 'scripts/**'], languageOptions: { globals: { ...globals.node } } },
  ...Object.entries(arrows).map(([folder, allowed]) => allow(folder, allowed)),
  phone,
  keys,
  {
    files: ['src/app/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: 'wailsjs', message: 'Only src/bridge talks to Wails.' }] },
      ],
    },
  },
);
