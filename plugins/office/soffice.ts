import { warmProgram, type ExecResult } from '../../core/sdk/index.js'
import type { Pair } from './formats/table.js'

const PROFILE = '/job/.profile'
const USER = `-env:UserInstallation=file://${PROFILE}`
/** Folder of results: in the source's folder they would be mixed up with it. */
const RESULTS = 'result'
const SOURCE = 'document'

/** Its message for a file that it cannot open. */
const UNREADABLE = 'could not be loaded'

interface Setting {
  readonly path: string
  readonly name: string
  readonly value: string
}

/** No macros, no external content, no links (registry schema of LibreOffice: Common.xcs, Writer.xcs, Calc.xcs, Impress.xcs). */
const SETTINGS: readonly Setting[] = [
  { path: 'Common/Security/Scripting', name: 'MacroSecurityLevel', value: '3' },
  { path: 'Common/Security/Scripting', name: 'DisableMacrosExecution', value: 'true' },
  { path: 'Common/Security/Scripting', name: 'BlockUntrustedRefererLinks', value: 'true' },
  { path: 'Common/Security/Scripting', name: 'DisableActiveContent', value: 'true' },
  { path: 'Common/Load', name: 'UpdateDocMode', value: '0' },
  { path: 'Writer/Content/Update', name: 'Link', value: '2' },
  { path: 'Calc/Content/Update', name: 'Link', value: '2' },
  ...['Writer', 'Calc', 'Impress'].flatMap((program) =>
    ['Load', 'Save'].map((name) => ({ path: `${program}/Filter/Import/VBA`, name, value: 'false' })),
  ),
  { path: 'Java/VirtualMachine', name: 'Enable', value: 'false' },
]

/** The profile's settings file, in the format of LibreOffice's user settings. */
function registryOf(settings: readonly Setting[]): string {
  const items = settings.map(
    ({ path, name, value }) =>
      `<item oor:path="/org.openoffice.Office.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    ...items,
    '</oor:items>',
    '',
  ].join('\n')
}

/** Arguments for running unattended. */
export const UNATTENDED = [USER, '--headless', '--norestore', '--nologo', '--nodefault', '--nolockcheck']

/** LibreOffice with a fresh profile. A second process with the same profile passes its work to the first and ends with it. */
export const soffice = warmProgram({
  id: 'office.soffice',
  program: 'soffice',
  args: [...UNATTENDED, '--accept=pipe,name=capstan;urp'],
  // The user's id may precede this in the name.
  ready: '/tmp/OSL_PIPE_*capstan',
  job: 'beside',
  files: [{ name: '.profile/user/registrymodifications.xcu', text: registryOf(SETTINGS) }],
  memoryMb: 1024,
  diskMb: 512,
})

/** The name a source has in the sandbox. */
export function sourceName({ from, reading: { extension = from } }: Pair): string {
  return `${SOURCE}.${extension}`
}

/** The name of its result. */
export function resultName({ to, writing: { extension = to } }: Pair): string {
  return `${RESULTS}/${SOURCE}.${extension}`
}

/** The arguments to convert one file. */
export function conversion(pair: Pair, read: string): string[] {
  const { to, writing } = pair
  const { extension = to, filter } = writing
  return [
    USER,
    '--headless',
    `--infilter=${writing.reading ?? read}`,
    '--convert-to',
    `${extension}:${filter}`,
    '--outdir',
    `/job/${RESULTS}`,
    `/job/${sourceName(pair)}`,
  ]
}

/** Whether LibreOffice opened the file without producing a result. Its exit code is always 0: only its output tells. */
export function unwritten({ code, stopped, stderr }: ExecResult): boolean {
  return stopped === null && code === 0 && !Buffer.from(stderr).includes(UNREADABLE)
}
