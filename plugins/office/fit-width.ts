const PROPERTIES = /<style:page-layout-properties(?![^<>]*scale-to)([\s>/])/g
/** Header and footer, to which LibreOffice adds the sheet name and the page number. */
const MARGINS = /<style:(header|footer)>/g
const BODY = '<office:body'
/** Styles precede the sheets, within this size. */
const MOST_STYLES = 8 * 1024 * 1024

/**
 * A flat OpenDocument sheet whose pages fit all columns in their width, and as many rows as possible (ODF 1.3 part 3,
 * 20.372). A page style with its own scale keeps it. With `bare` they have no header and no footer.
 */
export async function* fittingWidth(sheet: AsyncIterable<Uint8Array>, { bare }: { readonly bare: boolean }): AsyncGenerator<Uint8Array> {
  let styles: Uint8Array[] | null = []
  let last = Buffer.alloc(0)
  let size = 0
  for await (const chunk of sheet) {
    if (styles === null) {
      yield chunk
      continue
    }
    styles.push(chunk)
    size += chunk.length
    const seen = Buffer.concat([last, chunk])
    last = seen.subarray(Math.max(0, seen.length - BODY.length))
    if (!seen.includes(BODY) && size < MOST_STYLES) continue
    yield scaled(Buffer.concat(styles), bare)
    styles = null
  }
  if (styles !== null) yield scaled(Buffer.concat(styles), bare)
}

function scaled(bytes: Buffer, bare: boolean): Buffer {
  const body = bytes.indexOf(BODY)
  const end = body === -1 ? bytes.length : body
  const styles = bytes
    .toString('utf8', 0, end)
    .replace(PROPERTIES, '<style:page-layout-properties style:scale-to-X="1" style:scale-to-Y="0"$1')
    .replace(MARGINS, bare ? '<style:$1 style:display="false">' : '$&')
  return Buffer.concat([Buffer.from(styles), bytes.subarray(end)])
}
