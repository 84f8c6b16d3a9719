// Paths as people read them: within their project, not from the disk's root.

/**
 * within is a path as seen from the first of the folders that holds it; one
 * that none holds stays as it is. Folders may be empty.
 */
export function within(path: string, folders: string[]): string {
  for (const folder of folders) {
    const root = folder.replace(/[\\/]+$/, '');
    if (root === '' || !path.startsWith(root)) continue;
    if (path.length === root.length) return '.';
    if (/[\\/]/.test(path.charAt(root.length))) return path.slice(root.length + 1);
  }
  return path;
}
