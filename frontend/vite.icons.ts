import type { Plugin } from 'vite';

/** What a Lucide icon's own component has of it: a name, and elements with their attributes. */
interface Icon {
  name: string;
  node: [string, Record<string, string>][];
}

const own = /\/@lucide\/svelte\/dist\/icons\/[^/]+\.svelte$/;

/**
 * Makes of each Lucide icon a template that is cloned. The package's component puts each one
 * together from a list, attribute by attribute, and watches all of them, which showed where
 * rows with icons come many times a second. What an icon can be given here is `class` and
 * `aria-label`.
 */
export function icons(): Plugin {
  return {
    name: 'beckon-icons',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: own },
      handler: (code, id) => markup(iconIn(code, id)),
    },
  };
}

function iconIn(code: string, id: string): Icon {
  const data = /const iconData = (\{.*\});/.exec(code)?.[1];
  if (data === undefined) throw new Error(`${id} is not as Lucide's icons were: see vite.icons.ts`);
  return JSON.parse(data) as Icon;
}

function markup({ name, node }: Icon): string {
  const parts = node.map(
    ([tag, attributes]) =>
      `<${tag}${Object.entries(attributes)
        .map(([key, value]) => ` ${key}="${value}"`)
        .join('')} />`,
  );
  return `<script>let { class: looks, 'aria-label': label } = $props();</script>
<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" class={['lucide lucide-${name}', looks]} aria-label={label} aria-hidden={label === undefined ? 'true' : undefined}>${parts.join('')}</svg>`;
}
