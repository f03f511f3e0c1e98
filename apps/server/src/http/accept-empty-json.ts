import type { App } from '../context.ts';

/**
 * Accepts empty JSON bodies, because many clients send `content-type: application/json` without a
 * body.
 */
export function acceptEmptyJson(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null);
    else void parseJson(request, String(body), done);
  });
}
