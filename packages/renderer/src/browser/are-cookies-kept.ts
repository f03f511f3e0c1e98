const PROBE = 'cookie-probe=1';

/**
 * Returns whether the browser keeps cookies of this site, by setting one and removing it. `navigator.cookieEnabled` does
 * not know whether the user has blocked those of one site.
 */
export function areCookiesKept(): boolean {
  document.cookie = `${PROBE}; SameSite=Lax`;
  const areKept = document.cookie.includes(PROBE);
  document.cookie = `${PROBE}; SameSite=Lax; Max-Age=0`;
  return areKept;
}
