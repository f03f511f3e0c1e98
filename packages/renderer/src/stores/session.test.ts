import { beforeEach, expect, test } from 'vitest';
import { useSession } from './session.ts';

const ada = {
  username: 'Ada',
  usermail: 'ada@example.org',
  dateOfRegistration: '2025-03-01T10:00:00.000Z',
  language: 'en',
  volume: 'middle',
} as const;

beforeEach(() => useSession.setState(useSession.getInitialState(), true));

test('a session begins, changes and ends with its reason', () => {
  const { begin, change, end } = useSession.getState();
  begin(ada);
  change({ volume: 'full' });
  expect(useSession.getState().user).toEqual({ ...ada, volume: 'full' });
  end('password-changed');
  expect(useSession.getState()).toMatchObject({ user: undefined, ended: 'password-changed' });
});

test('the first reason stands', () => {
  const { begin, end } = useSession.getState();
  begin(ada);
  end('logout');
  end('expired');
  expect(useSession.getState().ended).toBe('logout');
});

test('nothing ends while nobody is signed in', () => {
  useSession.getState().end('expired');
  expect(useSession.getState().ended).toBeUndefined();
});

test('deleting the account here is a sign-out, not news', () => {
  const { begin, setLeaving, end } = useSession.getState();
  begin(ada);
  setLeaving(true);
  end('account-deleted');
  expect(useSession.getState()).toMatchObject({ ended: 'logout', isLeaving: false });
});
