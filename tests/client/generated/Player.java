// A match played with the client that openapi-generator generates for Java (library `native`).
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.api.EventsApi.APIListEventsRequest;
import org.openapitools.client.api.GamesApi.APIGetGameRequest;
import org.openapitools.client.api.MatchesApi.APICreateMatchRequest;
import org.openapitools.client.api.MatchesApi.APIGetMatchRequest;
import org.openapitools.client.api.MovesApi.APIPlayMovesRequest;
import org.openapitools.client.api.PlayersApi.APIRegisterPlayerRequest;
import org.openapitools.client.model.*;

public class Player {
    private final ApiClient client = new ApiClient();
    private final Random random = new Random();
    private UUID match;

    public static void main(String[] given) throws ApiException {
        new Player().run(given[0], given[1]);
    }

    private void run(String url, String game) throws ApiException {
        client.updateBaseUri(url);
        PlayerRequest name = new PlayerRequest().name("Ada").bot(true);
        Registered ada = new PlayersApi(client).registerPlayer(APIRegisterPlayerRequest.newBuilder().playerRequest(name).build());
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + ada.getToken()));
        GameDetails rules = new GamesApi(client).getGame(APIGetGameRequest.newBuilder().gameId(game).build());
        List<SeatRequest> seats = new ArrayList<>(List.of(new SeatRequest().type(SeatRequest.TypeEnum.ME)));
        while (seats.size() < Collections.min(rules.getSeats()))
            seats.add(new SeatRequest().type(SeatRequest.TypeEnum.BOT).bot("random"));
        MatchRequest wanted = new MatchRequest().game(game).seats(seats);
        match = new MatchesApi(client).createMatch(APICreateMatchRequest.newBuilder().matchRequest(wanted).build()).getId();
        int moves = 0;
        Match now = look();
        while (now.getStatus().equals("running")) {
            if (!now.getToAct().contains(now.getYou()))
                new EventsApi(client).listEvents(
                    APIListEventsRequest.newBuilder().matchId(match).after(now.getVersion()).waitSeconds(2L).build());
            else if (play(now)) moves++;
            now = look();
        }
        Result result = now.getResult();
        System.out.println(moves + " moves, " + now.getStatus() + ": " + result.getReason() + ", places " + result.getPlaces());
    }

    /** Makes a random legal move; returns false if another player acted in between. */
    private boolean play(Match now) throws ApiException {
        List<Move> listed = new ArrayList<>();
        for (CommandAnswerFactsInner legal : now.getLegalMoves()) {
            if (legal.getAdditionalProperty("schema") != null) continue;
            Move move = new Move().type(legal.getType());
            if (legal.getAdditionalProperties() != null) legal.getAdditionalProperties().forEach(move::putAdditionalProperty);
            listed.add(move);
        }
        PlayMovesRequest chosen = new PlayMovesRequest(listed.get(random.nextInt(listed.size())));
        try {
            String version = "\"" + now.getVersion() + "\"";
            MoveAnswer answer = new MovesApi(client).playMoves(
                APIPlayMovesRequest.newBuilder().matchId(match).playMovesRequest(chosen).ifMatch(version).build());
            return answer.getReceipt().getAt() > 0;
        } catch (ApiException refused) {
            if (refused.getCode() == 412) return false;
            throw refused;
        }
    }

    private Match look() throws ApiException {
        return new MatchesApi(client).getMatch(APIGetMatchRequest.newBuilder().matchId(match).build());
    }
}
