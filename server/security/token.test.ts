import { describe, expect, it } from 'vitest';
import { COOKIE, carriesToken, cookieValue, isToken, readCookie, setCookie } from './token.ts';

const token = 'a-long-enough-token-1234';

describe('the access token', () => {
  it('is taken as a bearer or as the cookie', () => {
    expect(carriesToken({ authorization: `Bearer ${token}` }, token)).toBe(true);
    expect(carriesToken({ cookie: `a=b; ${COOKIE}=${cookieValue(token)}` }, token)).toBe(true);
  });

  it('is refused when it is missing, wrong, or itself the cookie', () => {
    expect(carriesToken({}, token)).toBe(false);
    expect(carriesToken({ authorization: 'Bearer ' }, token)).toBe(false);
    expect(carriesToken({ authorization: `Bearer ${token}x` }, token)).toBe(false);
    expect(carriesToken({ authorization: `Basic ${token}` }, token)).toBe(false);
    expect(carriesToken({ cookie: `${COOKIE}=${token}` }, token)).toBe(false);
    expect(carriesToken({ cookie: `x${COOKIE}=${cookieValue(token)}` }, token)).toBe(false);
  });

  it('admits a first visit', () => {
    expect(isToken(token, token)).toBe(true);
    expect(isToken(null, token)).toBe(false);
    expect(isToken('', token)).toBe(false);
  });

  it('gives a cookie that scripts and other sites never see, without the token in it', () => {
    const header = setCookie(token);
    expect(header).toContain('HttpOnly');
    expect(header).toContain('SameSite=Strict');
    expect(header).not.toContain(token);
  });

  it('reads one cookie of many, and none of a header that is too long', () => {
    expect(readCookie('a=1; b=2;c=3', 'b')).toBe('2');
    expect(readCookie('a=1', 'b')).toBeNull();
    expect(readCookie(`b=2; a=${'x'.repeat(9_000)}`, 'b')).toBeNull();
  });
});
