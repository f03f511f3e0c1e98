import type { App } from '../context.ts';
import { runInTurn } from '../scheduling/time-slices.ts';

/**
 * Parses JSON bodies in time slices, because many can arrive at the same time. Accepts empty ones for
 * some routes, because many clients send `content-type: application/json` without a body.
 */
export function registerJsonParser(app: App, { acceptsEmpty = false } = {}): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '' && acceptsEmpty) done(null);
    else runInTurn(() => void parseJson(request, String(body), done));
  });
}
