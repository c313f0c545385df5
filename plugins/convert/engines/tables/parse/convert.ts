import { decode } from '../../../../_shared/charset/charset.js'
import { recordsOf } from './records.js'
import { tableOf } from './table.js'

/** Notes for the caller on the result. */
export interface Written {
  readonly notes: readonly string[]
}

/** Converts one of the two forms to the other. Runs in the sandbox. Throws Fault `invalid` for JSON that is not a list of flat objects. */
export default function convert(
  [bytes]: readonly Uint8Array[],
  { from, to }: { readonly from: string; readonly to: string },
): { readonly result: Written; readonly data: Buffer } {
  const text = decode(bytes ?? new Uint8Array(), '')
  const { notes, data } = from === 'json' ? tableOf(text, to === 'tsv' ? '\t' : ',') : recordsOf(text, from === 'tsv' ? '\t' : null)
  return { result: { notes }, data }
}
