/** Media type and character set of a content-type header, both in lower case, empty when absent (RFC 9110 8.3). */
export function mediaType(header: string | undefined): { contentType: string; charset: string } {
  if (header === 'application/json') return { contentType: header, charset: '' }
  const [type = '', ...parameters] = (header ?? '').split(';')
  const contentType = type.trim().toLowerCase()
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(parameter)?.[1])
    .find((value) => value !== undefined)
  return { contentType: /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : '', charset: (charset ?? '').toLowerCase() }
}

/** Chunks as one array; a single chunk is not copied. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}
