// A match played with the client that openapi-generator generates for Go (package kontor).
package main

import (
	"context"
	"fmt"
	"math/rand"
	"os"

	"kontor"
)

func main() {
	url, game := os.Args[1], os.Args[2]
	config := kontor.NewConfiguration()
	config.Servers = kontor.ServerConfigurations{{URL: url}}
	client, ctx := kontor.NewAPIClient(config), context.Background()
	request := kontor.NewPlayerRequest("Ada")
	request.SetBot(true)
	ada, _, err := client.PlayersAPI.RegisterPlayer(ctx).PlayerRequest(*request).Execute()
	check(err)
	ctx = context.WithValue(ctx, kontor.ContextAccessToken, ada.Token)
	rules, _, err := client.GamesAPI.GetGame(ctx, game).Execute()
	check(err)
	seats := []kontor.SeatRequest{*kontor.NewSeatRequest("me")}
	for least := smallest(rules.Seats); int64(len(seats)) < least; {
		bot := kontor.NewSeatRequest("bot")
		bot.SetBot("random")
		seats = append(seats, *bot)
	}
	made, _, err := client.MatchesAPI.CreateMatch(ctx).MatchRequest(*kontor.NewMatchRequest(game, seats)).Execute()
	check(err)
	moves := 0
	now := look(client, ctx, made.Id)
	for now.Status == "running" {
		if !isToAct(now) {
			_, _, err := client.EventsAPI.ListEvents(ctx, made.Id).After(now.Version).Wait(2).Execute()
			check(err)
		} else if play(client, ctx, now) {
			moves++
		}
		now = look(client, ctx, made.Id)
	}
	result := now.GetResult()
	fmt.Printf("%d moves, %s: %s, places %v\n", moves, now.Status, result.Reason, result.Places)
}

// play makes a random legal move; it returns false if another player acted in between.
func play(client *kontor.APIClient, ctx context.Context, now *kontor.Match) bool {
	var listed []kontor.Move
	for _, legal := range now.LegalMoves {
		if _, isOpen := legal.AdditionalProperties["schema"]; !isOpen {
			listed = append(listed, kontor.Move{Type: legal.Type, AdditionalProperties: legal.AdditionalProperties})
		}
	}
	move := kontor.MoveAsPlayMovesRequest(&listed[rand.Intn(len(listed))])
	version := fmt.Sprintf("\"%d\"", now.Version)
	answer, response, err := client.MovesAPI.PlayMoves(ctx, now.Id).PlayMovesRequest(move).IfMatch(version).Execute()
	if response != nil && response.StatusCode == 412 {
		return false
	}
	check(err)
	return answer.Receipt.At > 0
}

func look(client *kontor.APIClient, ctx context.Context, id string) *kontor.Match {
	match, _, err := client.MatchesAPI.GetMatch(ctx, id).Execute()
	check(err)
	return match
}

func isToAct(match *kontor.Match) bool {
	for _, seat := range match.ToAct {
		if match.You.IsSet() && match.You.Get() != nil && seat == *match.You.Get() {
			return true
		}
	}
	return false
}

func smallest(numbers []int64) int64 {
	least := numbers[0]
	for _, number := range numbers {
		if number < least {
			least = number
		}
	}
	return least
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
