/** Kinds of table columns. `code` is an article number, `skip` anything that is not used. */
export const COLUMNS = [
  ...(['position', 'code', 'description', 'quantity', 'unit', 'price', 'grossPrice', 'discount'] as const),
  ...(['rate', 'tax', 'net', 'gross', 'amount', 'date', 'skip'] as const),
] as const
export type Column = (typeof COLUMNS)[number]
