// A card market of about the size of The Speicherstadt: an open row, hidden hands and a hidden pile.
const PILE = 120;
const ROW = 6;

const cards = () => Array.from({ length: PILE }, (_, number) => ({ number, kind: number % 7, price: 1 + (number % 5) }));

const take = ({ G, playerID, random, events }, index) => {
  const [card] = G.row.splice(index, 1);
  const player = G.players[playerID];
  player.hand.push(card);
  player.coins += card.price - 1;
  if (player.hand.length > 12) G.discarded.push(...player.hand.splice(0, 6));
  if (G.pile.length === 0) [G.pile, G.discarded] = [random.Shuffle(G.discarded), []];
  if (G.pile.length > 0) G.row.push(G.pile.pop());
  events.endTurn();
};

exports.Market = {
  name: "market",
  setup: ({ ctx, random }) => {
    const pile = random.Shuffle(cards());
    return {
      players: Object.fromEntries(Array.from({ length: ctx.numPlayers }, (_, seat) => [seat, { hand: [], coins: 5 }])),
      row: pile.splice(0, ROW),
      pile,
      discarded: [],
    };
  },
  // Decided by the server alone, as what is drawn is hidden from the client.
  moves: { take: { move: take, client: false } },
  playerView: ({ G, playerID }) => ({
    ...G,
    pile: G.pile.length,
    players: Object.fromEntries(
      Object.entries(G.players).map(([seat, player]) => [seat, seat === playerID ? player : { ...player, hand: player.hand.length }]),
    ),
  }),
};
