import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, defineConfig, type Plugin } from 'vite';
import { icons } from './vite.icons.ts';
import { packages } from './vite.packages.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const target = ['es2022', 'safari16.4', 'chrome111'];

/** What is not fetched before it is wanted: the colours of code. */
const seldom = /highlight|lib\/languages|core-/;

/**
 * Builds the service worker once the page is built, since it keeps the page's
 * files and is named by none of them; and sees to it that nothing of the desk's
 * state is in the page.
 */
function worker(): Plugin {
  let files: string[] = [];
  return {
    name: 'beckon-phone',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const strays = chunk.moduleIds.filter((id) =>
          /\/src\/(state|bridge|app)\/|\/wailsjs\//.test(id),
        );
        if (strays.length > 0) this.error(`the phone's page must not have: ${strays.join(', ')}`);
      }
      files = Object.values(bundle).flatMap((one) =>
        one.fileName === 'index.html' ||
        (one.type === 'chunk' && one.moduleIds.every((id) => seldom.test(id)))
          ? []
          : [`/${one.fileName}`],
      );
    },
    async closeBundle() {
      const own = ['/manifest.webmanifest', '/icon-192.png', '/icon-badge-96.png'];
      const all = [...files, ...own].sort();
      await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        define: {
          __FILES__: JSON.stringify(all),
          __BUILD__: JSON.stringify(
            createHash('sha256').update(all.join()).digest('hex').slice(0, 12),
          ),
        },
        build: {
          target,
          emptyOutDir: false,
          outDir: here('dist/phone'),
          lib: {
            entry: here('src/phone/sw.ts'),
            formats: ['iife'],
            name: 'sw',
            fileName: () => 'sw.js',
          },
        },
      });
    },
  };
}

export default defineConfig({
  root: here('src/phone'),
  base: '/',
  plugins: [icons(), svelte({ configFile: here('svelte.config.js') }), worker(), packages()],
  build: {
    outDir: here('dist/phone'),
    emptyOutDir: true,
    target,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
