import type { Vocabulary } from '../vocabulary.js'

/** French invoice vocabulary. */
export const french: Vocabulary = {
  labels: {
    number:
      'numero|numero de facture|n de facture|n facture|facture n|facture no|facture numero|no facture|no de facture|num facture|facture|ref facture|reference facture|numero facture|avoir n|avoir no|numero d avoir|n d avoir|avoir|ticket n|n ticket|n de ticket|recu n|note d honoraires n|facture d avoir n|facture ref|facture acquittee n',
    date: 'date de facture|date de la facture|date facture|date d emission|date|facture du|emise le|emis le|date facturation|date de facturation|du|le|date de l avoir|date d etablissement|etablie le|fait le|date emission|avoir du|facturee le',
    due: 'date d echeance|echeance|date echeance|echeance le|payable avant le|a payer avant le|a regler avant le|date limite de paiement|date de reglement|payable le|a regler le|payable jusqu au|paiement avant le|date limite|reglement avant le|echeance de paiement|a payer le|date de paiement|paiement du le|a regler au plus tard le|au plus tard le|payable au|echeance au|exigible le',
    terms: 'conditions de paiement|conditions de reglement|modalites de paiement|delai de paiement|conditions',
    supplier: 'vendeur|fournisseur|emetteur|de|prestataire|emis par|expediteur|emise par|facture par|societe emettrice',
    customer:
      'facture a|client|facturer a|adresse de facturation|destinataire|acheteur|adresse a|a l attention de|factureea|facturation|nom du client|facturee a|coordonnees client|adresse client|a|adressee a|pour|debiteur|preneur',
    shipTo: 'adresse de livraison|livre a|livrer a|livraison a|expedier a|livraison',
    currency: 'devise|monnaie|montants en|montants exprimes en|tous les montants en|prix en|montants en euros',
    other:
      'numero de commande|n de commande|commande n|commande|n commande|bon de commande|numero client|n client|code client|client n|ref client|reference client|reference|ref|siret|siren|n siret|n siren|tva intracommunautaire|n tva|n de tva|tva intra|n tva intracommunautaire|numero de tva|n tva intra|num tva|rcs|rcs paris|ape|code ape|naf|telephone|tel|fax|mobile|email|courriel|e mail|site|site web|iban|bic|swift|banque|compte|rib|coordonnees bancaires|bon de livraison|bl n|contrat|n contrat|numero de contrat|projet|votre reference|notre reference|vos references|nos references|vendeuse|caisse|table|page|devis|devis n|n devis|interlocuteur|contact|mode de paiement|mode de reglement|moyen de paiement|objet|votre ref|notre ref|capital|au capital de|ref commande|facture d origine|facture initiale|n facture d origine|affaire|chantier|dossier|n dossier|caissier|serveur|terminal|ide|n ide|che|votre n tva|tva client|mode de reglement par',
    otherDate:
      'date de livraison|date de commande|date de prestation|periode|periode de facturation|date d expedition|date livraison|date commande|livre le|livree le|commande du|payee le|date de vente|date de la prestation|date prestation|date d execution|imprime le|date de la vente|commande le',
    subtotal:
      'total ht|sous total|sous total ht|montant ht|total hors taxes|total hors taxe|montant total ht|net ht|total net ht|prix total ht|total general ht|montant hors taxes|montant net ht|total h t|total hors tva|total ht net|somme ht|sous total hors taxes|montant hors taxe|total htva|montant htva|ht|total ht apres remise|total brut ht',
    tax: 'tva|total tva|montant tva|montant de la tva|dont tva|total taxes|taxes|montant total tva|t v a|taxe|total de la tva|total t v a|tva incluse|tva comprise|montant de tva|dont t v a|tva a|tva au taux de|inclus tva|total des taxes',
    taxBase: 'base ht|base|base tva|assiette|base imposable|base taxable|taux tva|taux|taux de tva',
    total:
      'total ttc|montant ttc|total general|montant total|total|montant total ttc|total a payer|total toutes taxes comprises|total t t c|total general ttc|total facture|total de la facture|prix total ttc|total eur|total chf|ttc|montant de la facture|net ttc|total tvac|montant total de la facture|total avoir|montant de l avoir|total tva comprise|total tva incluse|montant total tvac',
    payable:
      'net a payer|reste a payer|solde|montant a payer|solde du|a payer|net a payer ttc|solde a payer|montant du|reste du|somme a payer|montant net a payer|restant du|a regler|reste a regler|solde restant du|net a regler',
    prepaid:
      'acompte|acompte verse|deja paye|deja regle|montant paye|acomptes|paye|avance|acompte deja verse|moins acompte|acompte recu|arrhes|deja verse|acomptes verses|versement|a deduire acompte|acompte paye|moins acompte verse|acompte regle|montant deja paye|paiements recus|montant regle',
    discount:
      'remise|rabais|ristourne|reduction|remise commerciale|total remise|remise globale|escompte|total des remises|remise exceptionnelle|remise fidelite|remise client|montant remise|moins remise|bon de reduction|remise ht',
    shipping:
      'frais de port|port|livraison ht|frais de livraison|transport|frais d expedition|expedition|frais de transport|port et emballage|frais de port ht|pourboire|participation transport|eco participation|ecoparticipation|frais de dossier|frais de service|taxe de sejour|consigne|consignes|assurance|frais de gestion|supplement',
    rounding: 'arrondi|arrondis',
    carried:
      'report|a reporter|sous total page|total page|report page precedente|suite|total a reporter|sous total a reporter|report de la page precedente',
    withheld: 'retenue|retenue de garantie|retenue a la source',
  },
  headings: {
    position: 'n|no|pos|ligne|num|n ligne',
    code: 'reference|ref|code|code article|ref article|code produit|reference article|article n',
    description:
      'designation|description|libelle|article|produit|prestation|prestations|desi gnation|detail|nature|description des prestations|produits|designation des produits|produit service|designation article|articles|intitule|prestation de service|description du produit|description des produits',
    quantity: 'quantite|qte|qt|quant|heures|nombre|nb|nbre|jours|qtes|nb heures',
    unit: 'unite|u|un|unites|u m|unit|uv',
    price:
      'prix unitaire|pu|p u|pu ht|prix unitaire ht|prix|p u ht|prix u|tarif|prix unit|taux horaire|prix ht|pu net|prix u ht|prix unit ht|p unitaire|pu h t|px unitaire|px unit|cout unitaire|montant unitaire|tarif horaire|prix unitaire hors taxes|p unit|valeur unitaire',
    grossPrice: 'pu ttc|prix unitaire ttc|prix ttc|p u ttc',
    discount: 'remise|rem|rem %|remise %|rabais|r',
    rate: 'tva|taux tva|tva %|taux|taux de tva|% tva|t v a|tx tva|taux %|taux tva %',
    tax: 'montant tva|mt tva|total tva|tva eur|mnt tva',
    net: 'total ht|montant ht|prix total ht|total net|total h t|mt ht|montant net|ht|montant hors taxes|total ligne ht|total hors taxes|montant h t|net ht|mnt ht|montant total ht|total htva|montant htva',
    gross: 'total ttc|montant ttc|prix total ttc|ttc|mt ttc|total t t c|montant t t c|mnt ttc|total tvac',
    amount: 'montant|total|prix total|sous total|total ligne|montant total|valeur|mt total|somme|pt|p total|mnt total',
    date: 'date|jour',
    skip: 'poids|couleur|taille|lot|code tva|origine|colis|bl',
  },
  months: 'janvier janv|fevrier fevr fev|mars|avril avr|mai|juin|juillet juil|aout|septembre sept|octobre oct|novembre nov|decembre dec',
  common: 'le|la|les|et|des|pour|merci|vous|votre|jours|avec|nous|sur|dans|rue|par|est|une|en|au',
}
