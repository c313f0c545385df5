/** Names of the months and their abbreviations, folded, in all languages. */
export const MONTHS: readonly string[] = [
  'january|januar|janvier|enero|gennaio|januari|janeiro|stycznia|styczen|jan|janv|ene|gen|sty|janner|jaenner',
  'february|februar|fevrier|febrero|febbraio|februari|fevereiro|lutego|luty|feb|fevr|fev|febr|lut',
  'march|marz|mars|marzo|maart|marco|marca|marzec|mar|mrt|mrz|maerz',
  'april|avril|abril|aprile|kwietnia|kwiecien|apr|avr|abr|kwi',
  'may|mai|mayo|maggio|mei|maio|maja|maj|mag|magg',
  'june|juni|juin|junio|giugno|junho|czerwca|czerwiec|jun|giu|cze',
  'july|juli|juillet|julio|luglio|julho|lipca|lipiec|jul|juil|lug|lip',
  'august|aout|agosto|augustus|sierpnia|sierpien|aug|ago|sie',
  'september|septembre|septiembre|settembre|setembro|wrzesnia|wrzesien|sep|sept|set|wrz|setiembre|sett',
  'october|oktober|octobre|octubre|ottobre|outubro|pazdziernika|pazdziernik|oct|okt|ott|out|paz',
  'november|novembre|noviembre|novembro|listopada|listopad|nov|lis',
  'december|dezember|decembre|diciembre|dicembre|dezembro|grudnia|grudzien|dec|dez|dic|gru',
]
