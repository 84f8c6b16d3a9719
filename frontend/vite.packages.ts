import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** The folder of the package that a module is of, below frontend; of one's own modules there is none. */
function packageOf(id: string): string[] {
  const found = /\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(
    id.split('?')[0] ?? '',
  );
  return found?.[1] === undefined ? [] : [found[1]];
}

/** Lists in packages.json, beside a page, the packages that it is made from: their licences come with it. */
export function packages(): Plugin {
  return {
    name: 'beckon-packages',
    apply: 'build',
    async writeBundle(options, bundle) {
      const modules = Object.values(bundle).flatMap((one) =>
        one.type === 'chunk' ? one.moduleIds : [],
      );
      const folders = [...new Set(modules.flatMap(packageOf))].sort();
      await writeFile(
        join(options.dir ?? '', 'packages.json'),
        `${JSON.stringify(folders, null, 2)}\n`,
      );
    },
  };
}
