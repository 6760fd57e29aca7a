// boardgame.io's server with matches in memory: node server.cjs PORT
const { Server, Origins } = require("boardgame.io/server");
const { Market } = require("./game.cjs");

const server = Server({ games: [Market], origins: [Origins.LOCALHOST] });
server.run(Number(process.argv[2]), () => console.log("ready"));
