// The service worker of component tests: that of msw, but only for requests of the API. It would otherwise pass each
// module of the app through the page.
addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const isModule = origin === location.origin && !/^\/(?:api|media)\//.test(pathname);
  if (isModule) event.stopImmediatePropagation();
});
importScripts('/mockServiceWorker.js');
