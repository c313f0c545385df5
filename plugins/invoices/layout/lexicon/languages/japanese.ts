import type { Vocabulary } from '../vocabulary.js'

/** Japanese invoice vocabulary. */
export const japanese: Vocabulary = {
  labels: {
    number: '請求書番号|請求番号|番号|伝票番号|領収書番号|インボイス番号',
    date: '発行日|請求日|日付|請求書発行日',
    due: '支払期限|お支払期限|支払期日|お支払期日|振込期限',
    customer: '請求先|お客様名',
    supplier: '発行者|請求元',
    other: '登録番号|電話|振込先|口座番号|件名',
    subtotal: '小計|税抜合計|税抜金額|税抜|小計税抜',
    tax: '消費税|消費税額|内消費税|税額|消費税等|うち消費税',
    taxBase: '対象額|課税対象額',
    total: '合計|合計金額|ご請求金額|請求金額|総合計|税込合計|お支払金額|ご請求額|合計税込|税込金額|総額',
    payable: '差引請求額|残高',
    prepaid: '入金額|前受金|内金',
    discount: '値引|値引き|割引|クーポン|クーポン割引',
    shipping: '送料|手数料|運賃|配送料|サービス料|諸経費|配送費',
    withheld: '源泉徴収|源泉徴収税|源泉所得税|源泉徴収税額',
    rounding: '端数調整|端数',
  },
  headings: {
    position: '番',
    code: '商品コード|品番',
    description: '品目|品名|内容|摘要|商品名|項目',
    quantity: '数量|個数',
    unit: '単位',
    price: '単価',
    grossPrice: '税込単価|単価税込',
    rate: '税率',
    tax: '税額',
    net: '税抜金額',
    gross: '税込金額',
    amount: '金額|価格|小計',
  },
  months: '',
  common: '御中|様|株式会社|有限会社|円|年|月|日',
}
