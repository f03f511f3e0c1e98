import { app } from 'electron';
import { createProxyCredentials, type AskPerson } from '../proxy/proxy-credentials.ts';

/** Answers proxies that want to know who one is; servers' own logins are no business of the app. */
export function answerProxies(ask: AskPerson): void {
  const answer = createProxyCredentials(ask);
  app.on('login', (event, _contents, { firstAuthAttempt }, authInfo, callback) => {
    if (!authInfo.isProxy) return;
    event.preventDefault();
    const reply = async (): Promise<void> => {
      const given = await answer({ ...authInfo, isFirstAttempt: firstAuthAttempt });
      if (given === undefined) callback();
      else callback(given.username, given.password);
    };
    void reply();
  });
}
