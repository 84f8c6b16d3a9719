const kept = 'beckon.palette';
const most = 20;

/** The ids of the lines that were used last, the last one first. */
export function recent(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(kept) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export function used(id: string): void {
  localStorage.setItem(
    kept,
    JSON.stringify([id, ...recent().filter((one) => one !== id)].slice(0, most)),
  );
}
