import { useLocation } from 'react-router-dom';

/** The parameters of an operator's link; empty if missing. */
export interface LinkParams {
  readonly email: string;
  /** Reset key. */
  readonly key: string;
  /** Invitation for registering. */
  readonly invitation: string;
}

/** Returns the parameters of the page's link. They are in the fragment, which is not sent to servers. */
export function useLinkParams(): LinkParams {
  const params = new URLSearchParams(useLocation().hash.slice(1));
  return {
    email: params.get('email') ?? '',
    key: params.get('key') ?? '',
    invitation: params.get('invitation') ?? '',
  };
}
