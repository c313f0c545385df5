const PROPERTIES = /<style:page-layout-properties(?![^<>]*scale-to)([\s>/])/g
const BODY = '<office:body'
/** Styles are before the sheets, and not longer than this. */
const MOST_STYLES = 8 * 1024 * 1024

/**
 * A flat OpenDocument sheet whose pages take all columns in their width, and as many rows as fit (ODF 1.3 part 3, 20.372). A page style that has
 * a scale of its own keeps it.
 */
export async function* fittingWidth(sheet: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let styles: Buffer | null = Buffer.alloc(0)
  for await (const chunk of sheet) {
    if (styles === null) yield chunk
    else {
      styles = Buffer.concat([styles, chunk])
      if (!styles.includes(BODY) && styles.length < MOST_STYLES) continue
      yield scaled(styles)
      styles = null
    }
  }
  if (styles !== null) yield scaled(styles)
}

function scaled(bytes: Buffer): Buffer {
  const body = bytes.indexOf(BODY)
  const end = body === -1 ? bytes.length : body
  const styles = bytes
    .toString('utf8', 0, end)
    .replace(PROPERTIES, '<style:page-layout-properties style:scale-to-X="1" style:scale-to-Y="0"$1')
  return Buffer.concat([Buffer.from(styles), bytes.subarray(end)])
}
