/** Which names the page may be opened under, and which pages may talk to it. Pure; the hooks are in guard.ts. */

const LOOPBACK_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether an address to listen on is reachable from this machine alone. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

export interface HostRules {
  /** The address listened on; a name of its own unless it is a wildcard. */
  host: string;
  /** Further names, lower case, with or without a port. */
  extra: readonly string[];
  /** A container does not know the port it is published on: any port of a loopback name will do. */
  anyPort: boolean;
}

interface Authority {
  name: string;
  port: string | null;
}

/** A Host header taken apart, or null when it is not one. */
export function parseAuthority(value: string | undefined): Authority | null {
  if (value === undefined || value.length > 300) return null;
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/.exec(value.toLowerCase());
  if (match?.[1] === undefined) return null;
  return { name: match[1], port: match[2] ?? null };
}

/**
 * Whether a request names a host this server answers to. A page of another name that was pointed at this address
 * (DNS rebinding) carries its own name here and is refused.
 * @param header the Host header
 * @param port the port the connection came in on
 */
export function hostAllowed(header: string | undefined, port: number, rules: HostRules): boolean {
  const host = parseAuthority(header);
  if (host === null) return false;
  const ownPort = String(port);
  const named = host.port ?? '80';
  const loopback = LOOPBACK_NAMES.has(host.name) || isLoopback(host.name);
  if (loopback && (rules.anyPort || named === ownPort)) return true;
  const own = parseAuthority(rules.host.includes(':') ? `[${rules.host}]` : rules.host);
  const wildcard = rules.host === '0.0.0.0' || rules.host === '::';
  if (own !== null && !wildcard && own.name === host.name && named === ownPort) return true;
  return rules.extra.some((entry) => {
    const allowed = parseAuthority(entry);
    if (allowed === null || allowed.name !== host.name) return false;
    // Without a port an entry means the usual ones, and the port listened on.
    return allowed.port === null
      ? host.port === null || named === '443' || named === ownPort
      : allowed.port === named;
  });
}

/**
 * Whether a request was made by the page this server served, as far as the browser says.
 * Requests without an Origin come from no page (a terminal, a typed address, a plain GET of the own page).
 * @param host the Host header, already allowed
 */
export function originAllowed(origin: string | undefined, host: string): boolean {
  if (origin === undefined) return true;
  const lower = origin.toLowerCase();
  return lower === `http://${host.toLowerCase()}` || lower === `https://${host.toLowerCase()}`;
}

/** Whether `Sec-Fetch-Site` allows a call of the interface. Another port of this machine is `same-site`, and foreign. */
export const fetchSiteAllowed = (site: string | undefined): boolean =>
  site === undefined || site === 'same-origin' || site === 'none';
