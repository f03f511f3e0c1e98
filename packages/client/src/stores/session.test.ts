import { beforeEach, expect, test } from 'vitest';
import { createSessionStore, type SessionStore } from './session.ts';

const ada = {
  username: 'Ada',
  usermail: 'ada@example.org',
  dateOfRegistration: '2025-03-01T10:00:00.000Z',
  language: 'en',
  volume: 'middle',
} as const;

let session: SessionStore;

beforeEach(() => {
  session = createSessionStore();
});

test('a session begins, changes and ends with a reason', () => {
  const { begin, change, end } = session.getState();
  begin(ada);
  change({ volume: 'full' });
  expect(session.getState().user).toEqual({ ...ada, volume: 'full' });
  end('password-changed');
  expect(session.getState()).toMatchObject({ user: undefined, ended: 'password-changed' });
});

test('a session keeps its first end reason', () => {
  const { begin, end } = session.getState();
  begin(ada);
  end('logout');
  end('expired');
  expect(session.getState().ended).toBe('logout');
});

test('ending the session does nothing for a guest', () => {
  session.getState().end('expired');
  expect(session.getState().ended).toBeUndefined();
});

test('deleting the account in this tab ends the session as a sign-out', () => {
  const { begin, setIsDeletingAccount, end } = session.getState();
  begin(ada);
  setIsDeletingAccount(true);
  end('account-deleted');
  expect(session.getState()).toMatchObject({ ended: 'logout', isDeletingAccount: false });
});
