import { useLocation } from 'react-router-dom';

/** What the link of an operator has filled in already; empty where it has not. */
export interface LinkParams {
  readonly email: string;
  /** To set a new password with. */
  readonly key: string;
  /** To register with. */
  readonly invitation: string;
}

/** Reads the link that the page was opened by. Its facts are in the fragment, which no server sees. */
export function useLinkParams(): LinkParams {
  const facts = new URLSearchParams(useLocation().hash.slice(1));
  return {
    email: facts.get('email') ?? '',
    key: facts.get('key') ?? '',
    invitation: facts.get('invitation') ?? '',
  };
}
