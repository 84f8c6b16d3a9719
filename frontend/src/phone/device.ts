// What a device is called before its owner names it.

const apple = [/\biPhone\b/, /\biPad\b/, /\biPod\b/];

/** nameOf is a device's name by what its browser says of itself; "" where that says nothing. */
export function nameOf(agent: string): string {
  const own = apple.map((one) => one.exec(agent)?.[0]).find(Boolean);
  if (own) return own;
  // "Android 15; Pixel 9 Build/…". Newer browsers say K instead of the model.
  const model = /Android [\d.]+; ([^;)]+?)(?: Build\/[^;)]*)?[;)]/.exec(agent)?.[1]?.trim() ?? '';
  if (/Android/.test(agent))
    return model.length > 1 && !/^(?:Mobile|Tablet|rv:.*)$/.test(model) ? model : 'Android';
  if (/Macintosh/.test(agent)) return 'Mac';
  if (/Windows/.test(agent)) return 'Windows';
  return /Linux/.test(agent) ? 'Linux' : '';
}
