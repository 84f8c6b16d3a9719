// The phone page's service worker: it keeps the page's files of one build, so
// that the page opens without a network, and shows what is pushed. It never
// keeps what Beckon says: nothing under /api passes through here.

import de from '../../messages/de/push.json';
import en from '../../messages/en/push.json';
import { type Pushed, read, shown } from './pushed';

const worker = self as unknown as ServiceWorkerGlobalScope;

/** What the build made, and its name, which changes with any of it. */
declare const __FILES__: string[];
declare const __BUILD__: string;

const cacheName = `beckon-${__BUILD__}`;

worker.addEventListener('install', (event) => {
  event.waitUntil(fill().then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(clear().then(() => worker.clients.claim()));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (
    request.method !== 'GET' ||
    url.origin !== location.origin ||
    url.pathname.startsWith('/api/')
  )
    return;
  event.respondWith(serve(request.mode === 'navigate' ? '/' : url.pathname, request));
});

worker.addEventListener('push', (event) => {
  const pushed = read(event.data?.text() ?? '');
  if (pushed) event.waitUntil(show(pushed));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(`/#/q/${encodeURIComponent(event.notification.tag)}`));
});

async function fill(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(__FILES__.map((path) => new Request(path, { cache: 'no-cache' })));
  // The page is the same for those who are not paired, but comes with another status.
  const page = await fetch('/', { cache: 'no-cache' });
  if (page.status !== 200 && page.status !== 401) throw new Error(`HTTP ${page.status}`);
  await cache.put('/', new Response(await page.blob(), { headers: page.headers }));
}

/** Removes what older builds left, but for the last: a page of it may still be open, and fetch a part. */
async function clear(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name !== cacheName);
  await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
}

async function serve(path: string, request: Request): Promise<Response> {
  const own = await (await caches.open(cacheName)).match(path);
  return (
    own ?? (path.startsWith('/assets/') ? await caches.match(path) : undefined) ?? fetch(request)
  );
}

/** Shows what was pushed in place of what it was about before. A phone must show something for each push. */
async function show(pushed: Pushed): Promise<void> {
  const words = shown(pushed, worker.navigator.language.startsWith('de') ? de : en);
  await worker.registration.showNotification(words.title, {
    body: words.body,
    tag: pushed.id,
    silent: pushed.close === true,
    icon: '/icon-192.png',
    badge: '/icon-badge-96.png',
  });
  if (!pushed.close) return;
  const old = await worker.registration.getNotifications({ tag: pushed.id });
  for (const one of old) one.close();
}

/** Goes to the question in the page that is open, else in a new one. */
async function open(path: string): Promise<void> {
  const [page] = await worker.clients.matchAll({ type: 'window' });
  if (page === undefined) {
    await worker.clients.openWindow(path);
    return;
  }
  await page.focus();
  page.postMessage({ go: path });
}
