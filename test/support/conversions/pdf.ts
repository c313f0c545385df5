/** A PDF with a page for each text (ISO 32000-1, 7.5). */
export function pdf(texts: readonly string[]): Buffer {
  const numbers = texts.map((_, at) => 4 + at * 2)
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${String(texts.length)}/Kids[${numbers.map((number) => `${String(number)} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...texts.flatMap((text, at) => {
      const drawing = `BT /F1 24 Tf 40 140 Td (${text}) Tj ET`
      const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents ${String(5 + at * 2)} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`
      return [page, `<</Length ${String(drawing.length)}>>stream\n${drawing}\nendstream`]
    }),
  ]
  let body = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = body.length
    body += `${String(at + 1)} 0 obj${object}endobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${String(places.length + 1)}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${body}${table}trailer<</Size ${String(places.length + 1)}/Root 1 0 R>>\nstartxref\n${String(body.length)}\n%%EOF\n`,
    'latin1',
  )
}
