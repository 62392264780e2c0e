import { createHmac, timingSafeEqual } from 'node:crypto';

/** Name of the cookie that stands for the access token. */
export const COOKIE = 'looplight_access';

/** What the cookie holds: a digest, so that a cookie that leaks does not give the token away. */
export const cookieValue = (token: string): string =>
  createHmac('sha256', token).update('looplight access cookie').digest('hex');

function same(given: string, wanted: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'looplight compare').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/** One cookie out of a Cookie header, or null. */
export function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined || header.length > 8_192) return null;
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

/** Whether a request carries the token, as `Authorization: Bearer` or as the cookie. */
export function carriesToken(
  headers: { authorization?: string | undefined; cookie?: string | undefined },
  token: string,
): boolean {
  const bearer = /^Bearer ([^\s]{1,256})$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined && same(bearer, token)) return true;
  const cookie = readCookie(headers.cookie, COOKIE);
  return cookie !== null && same(cookie, cookieValue(token));
}

/** Whether the first visit's `?token=` is the token. */
export const isToken = (given: unknown, token: string): boolean =>
  typeof given === 'string' && given.length <= 256 && same(given, token);

/** The Set-Cookie header that admits a browser from now on. */
export const setCookie = (token: string): string =>
  `${COOKIE}=${cookieValue(token)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`;
