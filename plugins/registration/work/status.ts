/** RFC 5731 2.3 and RFC 3915 3.1. */
const EPP = [
  ...['ok', 'inactive', 'linked'],
  ...['clientDeleteProhibited', 'clientHold', 'clientRenewProhibited', 'clientTransferProhibited', 'clientUpdateProhibited'],
  ...['serverDeleteProhibited', 'serverHold', 'serverRenewProhibited', 'serverTransferProhibited', 'serverUpdateProhibited'],
  ...['pendingCreate', 'pendingDelete', 'pendingRenew', 'pendingRestore', 'pendingTransfer', 'pendingUpdate'],
  ...['addPeriod', 'autoRenewPeriod', 'renewPeriod', 'transferPeriod', 'redemptionPeriod'],
]
const WORDS: ReadonlyMap<string, string> = new Map([
  ...EPP.map((word): [string, string] => [word.toLowerCase(), word]),
  // RFC 8056 2.
  ['active', 'ok'],
  ['associated', 'linked'],
  // Terms of registries: DENIC, JPRS, registro.br, Nominet, TCI, SIDN, CZ.NIC, Register.BG.
  ...['connect', 'connected', 'registered', 'published', 'delegated', 'registereduntilexpirydate', 'busy', 'paid'].map(
    (word): [string, string] => [word, 'ok'],
  ),
  // The same in French, Spanish and Portuguese.
  ...['actif', 'activo', 'activa', 'ativo', 'enregistre', 'registrado', 'delegado'].map((word): [string, string] => [word, 'ok']),
  ['notdelegated', 'inactive'],
  ['inquarantine', 'redemptionPeriod'],
  ['sponsoringregistrarchangeforbidden', 'clientTransferProhibited'],
])
/** Terms that are not a status, or only confirm that there is a record. */
const SILENT = new Set(['notavailable', 'verified', 'unverified', ''])
const MOST = 20

/** An EPP status, or a registry's equivalent for registered names. */
export function isStatusWord(text: string): boolean {
  return WORDS.has(folded(text))
}

function folded(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}

/** Distinct status values in EPP's form; one without an EPP equivalent stays as the registry writes it, in lower case. */
export function statusWords(values: readonly string[]): string[] {
  const found = new Set<string>()
  for (const value of values) {
    const word = folded(value)
    if (SILENT.has(word)) continue
    found.add(WORDS.get(word) ?? value.trim().replace(/\.$/, '').toLowerCase().slice(0, 60))
  }
  // "Registered" applies to every name, beside the distinguishing status.
  if (found.size > 1 && values.some((value) => /\bnot delegated\b/i.test(value))) found.delete('ok')
  return [...found].slice(0, MOST)
}
