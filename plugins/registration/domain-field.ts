import { Fault, type Violation } from '../../core/sdk/index.js'
import type { DomainName } from './domain.js'

/** Parses a text as a domain, or returns its problem as a sentence without its subject. */
type DomainReader = (text: string) => DomainName | { readonly wrong: string }

/** The three steps of an input field `domain`. */
interface DomainField {
  /** The normalised name; a text that is not a domain is unchanged, for `violations` to refuse. */
  readonly normal: (text: string) => string
  /** Violations of a text that is not a domain, at `domain`; empty for a domain. */
  readonly violations: (text: string) => readonly Violation[]
  /** A name accepted by `violations`, and its registrable domain. Throws an `invalid` Fault for any other. */
  readonly read: (text: string) => DomainName
}

/** The steps of a field `domain` with this reader. */
export function domainField(reader: DomainReader): DomainField {
  return {
    normal: (text) => {
      const read = reader(text)
      return 'wrong' in read ? text : read.name
    },
    violations: (text) => {
      const read = reader(text)
      return 'wrong' in read ? [{ loc: ['domain'], msg: read.wrong }] : []
    },
    read: (text) => {
      const read = reader(text)
      if ('wrong' in read) throw new Fault('invalid', `domain: ${read.wrong}.`, { loc: ['domain'] })
      return read
    },
  }
}
