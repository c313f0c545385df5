/** What a label announces; `shipping` is any charge of the whole document, `withheld` what is taken off after tax. `other` labels are known so that their values are not taken for something else. */
export const FIELDS = [
  ...(['number', 'date', 'due', 'terms', 'supplier', 'customer', 'shipTo', 'currency', 'other', 'otherDate'] as const),
  ...(['subtotal', 'tax', 'taxBase', 'total', 'payable', 'prepaid', 'discount', 'shipping', 'withheld', 'rounding', 'carried'] as const),
] as const
export type Field = (typeof FIELDS)[number]
