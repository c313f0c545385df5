import { Fault, type ScratchFile, type Services } from '../../core/sdk/index.js'
import { assertEntities, ENTITY_MARKS } from './entities.js'
import { formatOf } from './formats/find.js'
import type { Format } from './formats/format.js'
import { fits, peek } from './formats/shape.js'
import { assertUnpacks } from './zip-limits.js'

/** The stream with the encrypted content. */
const PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')
const ARCHIVE = 'PK\x03\x04'
const COMPOUND = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'

/**
 * Throws Fault `invalid` for a file that does not match its format, and for a document archive or entities that
 * expand excessively.
 */
export async function assertSource(format: Format, file: ScratchFile, { scratch }: Pick<Services, 'scratch'>): Promise<void> {
  if (file.size === 0) throw new Fault('invalid', 'The file is empty.', { loc: ['file_url'] })
  const seen = await peek(scratch.read(file), [...(format.is.holds ?? []), ...ENTITY_MARKS])
  assertEntities(seen)
  if (format.is.zip === true && seen.head.toString('latin1', 0, 4) === ARCHIVE) assertUnpacks(seen)
  if (!fits(format.is, seen, { complete: false })) {
    // With a password, Office Open XML becomes a compound file around the encrypted content (MS-OFFCRYPTO, 2.3.4.4).
    const sealed = format.is.zip === true && seen.head.toString('latin1', 0, 8) === COMPOUND
    const certain = sealed && [seen.head, seen.tail].some((part) => part.includes(PACKAGE))
    if (sealed)
      throw new Fault('invalid', `The file is protected by a password${certain ? '' : `, or is no ${format.id} file`}.`, {
        loc: ['file_url'],
      })
    throw await other(format, file, scratch)
  }
}

/** The actual type of the file. */
async function other({ id, title }: Format, file: ScratchFile, scratch: Services['scratch']): Promise<Fault> {
  const kind = await scratch.kind(file)
  const known = kind === null ? null : formatOf(kind.extension)
  const hint =
    kind === null
      ? ''
      : ` Its bytes are those of ${kind.contentType}${known === null || known.id === id ? '' : `: set source_format to ${known.id}`}.`
  return new Fault('invalid', `The file is no ${id} file (${title}).${hint}`, { loc: ['source_format'] })
}
