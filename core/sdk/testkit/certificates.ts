import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A private key and the certificates that a server presents with it, PEM. */
export interface KeyPair {
  readonly key: string
  readonly cert: string
}

const NAMES = ['known.example', 'www.known.example']
const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']

/** A self-signed certificate for known.example, valid for 30 days; null if openssl is not installed. */
export function selfSigned(): KeyPair | null {
  return inFolder((openssl, file) => {
    openssl(
      'req',
      '-x509',
      ...EC,
      '-nodes',
      '-days',
      '30',
      '-subj',
      '/CN=known.example/O=Example',
      '-addext',
      alternatives(NAMES),
      ...out(file, 'leaf'),
    )
    return { key: read(file('leaf.key')), cert: read(file('leaf.pem')) }
  })
}

/** Options of a certificate. */
export interface Issue {
  /** A key that only old clients accept. */
  readonly weak?: boolean
  readonly names?: readonly string[]
  /** Days of validity, default 30; -1 for an expired one. */
  readonly days?: number
  /** False puts the name only in the common name. */
  readonly alternatives?: boolean
  /** False omits the root from what the server presents. */
  readonly whole?: boolean
}

/** A certificate issued by its own root; the server presents both. Null without openssl. */
export function issued({ weak = false, names = NAMES, days = 30, alternatives: listed = true, whole = true }: Issue = {}):
  (KeyPair & { readonly root: string }) | null {
  return inFolder((openssl, file) => {
    const kind = weak ? ['-newkey', 'rsa:768'] : EC
    openssl('req', '-x509', ...EC, '-nodes', '-days', '60', '-subj', '/CN=Test root', ...out(file, 'root'))
    openssl('req', '-new', ...kind, '-nodes', '-subj', `/CN=${names[0] ?? ''}`, '-keyout', file('leaf.key'), '-out', file('leaf.csr'))
    writeFileSync(file('names'), listed ? alternatives(names) : 'basicConstraints=CA:FALSE')
    const by = [
      '-CA',
      file('root.pem'),
      '-CAkey',
      file('root.key'),
      '-set_serial',
      '4660',
      '-days',
      String(days),
      '-extfile',
      file('names'),
    ]
    openssl('x509', '-req', '-in', file('leaf.csr'), ...by, '-out', file('leaf.pem'))
    const root = read(file('root.pem'))
    return { key: read(file('leaf.key')), cert: `${read(file('leaf.pem'))}${whole ? root : ''}`, root }
  })
}

function alternatives(names: readonly string[]): string {
  return `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`
}

function inFolder<T>(make: (openssl: (...args: string[]) => void, file: (name: string) => string) => T): T | null {
  const folder = mkdtempSync(join(tmpdir(), 'test-certificates-'))
  try {
    return make(
      (...args) => void execFileSync('openssl', args, { stdio: 'ignore' }),
      (name) => join(folder, name),
    )
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function out(file: (name: string) => string, name: string): string[] {
  return ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)]
}

function read(path: string): string {
  return readFileSync(path, 'utf8')
}
