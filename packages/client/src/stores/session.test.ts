import { initialSettings } from '@parley/contract/schemas';
import { beforeEach, expect, test } from 'vitest';
import { createSessionStore, type SessionStore } from './session.ts';

const ada = {
  username: 'Ada',
  usermail: 'ada@example.org',
  dateOfRegistration: '2025-03-01T10:00:00.000Z',
  ...initialSettings(),
} as const;

let session: SessionStore;

beforeEach(() => {
  session = createSessionStore();
});

test('a session begins, changes and ends with a reason', () => {
  const { begin, changeSettings, end } = session.getState();
  begin(ada);
  changeSettings({ volume: 'full' });
  expect(session.getState().user).toEqual({ ...ada, volume: 'full' });
  end('password-changed');
  expect(session.getState()).toMatchObject({ user: undefined, endReason: 'password-changed' });
});

test('the email address changes once its key is entered', () => {
  const { begin, changeEmail } = session.getState();
  const { usermail } = ada;
  changeEmail({ usermail });
  expect(session.getState().user).toBeUndefined();
  begin(ada);
  changeEmail({ usermail, newUsermail: 'ada@new.example' });
  expect(session.getState().user).toEqual({ ...ada, newUsermail: 'ada@new.example' });
  changeEmail({ usermail: 'ada@new.example' });
  expect(session.getState().user).toEqual({ ...ada, usermail: 'ada@new.example' });
});

test('a session keeps its first end reason', () => {
  const { begin, end } = session.getState();
  begin(ada);
  end('logout');
  end('expired');
  expect(session.getState().endReason).toBe('logout');
});

test('ending the session does nothing for a guest', () => {
  session.getState().end('expired');
  expect(session.getState().endReason).toBeUndefined();
});

test('deleting the account in this tab ends the session as a sign-out', () => {
  const { begin, setDeletingAccount, end } = session.getState();
  begin(ada);
  setDeletingAccount(true);
  end('account-deleted');
  expect(session.getState()).toMatchObject({ endReason: 'logout', isDeletingAccount: false });
});
