/** Addresses no fetch may reach, one or more of each special block. */
export const INSIDE_V4 = [
  '127.0.0.1',
  '127.1.2.3',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.254',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
] as const

export const INSIDE_V6 = [
  '::1',
  '::',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  'fec0::1',
  'ff02::1',
  '100::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  '2001:2::1',
  '::ffff:0:7f00:1',
] as const

/** Every known way to spell an IPv4 address as the host of a URL. */
export function spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const octal = (part: number): string => `0${part.toString(8)}`
  const hex = (part: number): string => `0x${part.toString(16)}`
  const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  const inverted = `${(((a << 8) | b) ^ 0xffff).toString(16)}:${(((c << 8) | d) ^ 0xffff).toString(16)}`
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${whole.toString(16)}`,
    `0X${whole.toString(16).toUpperCase()}`,
    `0${whole.toString(8)}`,
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map(hex).join('.'),
    [octal(a), hex(b), c, d].join('.'),
    [a, ((b << 16) | (c << 8) | d) >>> 0].join('.'),
    [a, b, (c << 8) | d].join('.'),
    [a, b, c, d].map((part) => part.toString(8).padStart(6, '0')).join('.'),
    address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll('.', '\u3002'),
    address.replaceAll('.', '%2e'),
    address.replace(/\d/g, (digit) => `%3${digit}`),
    address.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit))),
    `[::ffff:${address}]`,
    `[::ffff:${groups}]`,
    `[0:0:0:0:0:FFFF:${groups.toUpperCase()}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${groups}]`,
    `[2002:${groups}::1]`,
    `[2001:0:4136:e378:8000:63bf:${inverted}]`,
  ]
}

/** Forms around a host that have fooled URL checks; `h` is the host with its port. */
const FRAMES: readonly ((h: string) => string)[] = [
  (h) => `http://user:pass@${h}/`,
  (h) => `http://public.example@${h}/`,
  (h) => `http://public.example\\@${h}/`,
  (h) => `HTTP://${h}/`,
  (h) => `hTtP:\\\\${h}\\`,
  (h) => `http:/${h}/`,
  (h) => `http:${h}`,
  (h) => `http:///${h}/`,
  (h) => `\t http://${h}/\n`,
  (h) => `ht\ntp://${h}/`,
  (h) => `http://${h}#@public.example/`,
  (h) => `http://${h}?@public.example/`,
  (h) => `//${h}/`,
  (h) => `ftp://${h}/`,
  (h) => `gopher://${h}/_GET`,
  (h) => `ws://${h}/`,
  (h) => `view-source:http://${h}/`,
  (h) => `jar:http://${h}!/`,
  (h) => `blob:http://${h}/id`,
  (h) => `javascript:fetch('http://${h}')`,
]

/** Names and schemes that lead inside without an address in sight. */
const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'ｌocalhost',
  'metadata.google.internal',
  'Metadata.Google.Internal.',
  'metadata',
  'instance-data',
  'metadata.azure.com',
]
const OTHER = [
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  'data:text/html,x',
  'about:blank',
  'chrome://version',
  'http://',
  'http://.',
  'http://..',
  'http://%00/',
  'http://[::1',
  'http://127.0.0.1:99999/',
  '',
  ' ',
  '/',
  'x',
]

/** The whole corpus for one port, where a canary listens: at least 300 forms. */
export function corpus(port: number): string[] {
  const hosts = [...INSIDE_V4.flatMap(spellings), ...INSIDE_V6.map((address) => `[${address}]`), ...NAMES]
  const framed = FRAMES.flatMap((frame) => ['127.0.0.1', '[::1]', '169.254.169.254'].map((host) => frame(`${host}:${port}`)))
  return [
    ...hosts.map((host) => `http://${host}:${port}/`),
    ...hosts.slice(0, 25).map((host) => `https://${host}:${port}/`),
    ...framed,
    ...OTHER,
  ]
}
